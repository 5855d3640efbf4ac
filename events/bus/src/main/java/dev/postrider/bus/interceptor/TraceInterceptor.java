package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.bus.PublishOptions;
import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.ContainedTracing;
import java.util.Map;
import java.util.Objects;

/**
 * Carries the trace from whoever publishes to whoever handles, in the header {@code traceparent} and those beside it. For both sides.
 * Thread-safe.
 *
 * <p>A publication that has the header already keeps it; an outbox that {@linkplain dev.postrider.Outbox.Builder#tracing traces} by itself
 * needs no interceptor to publish. The handling of an event is a span of its own where the tracing library makes one, and the handler's work
 * is part of it.
 */
public final class TraceInterceptor implements PublishInterceptor, HandleInterceptor {

    private final TraceContext trace;

    public TraceInterceptor(TraceContext trace) {
        this.trace = ContainedTracing.of(Objects.requireNonNull(trace, "trace"));
    }

    @Override
    public OutboxMessage intercept(Publication publication, PublishInterceptor.Next next) {
        if (publication.options().headers().containsKey(Headers.TRACE_PARENT)) {
            return next.proceed(publication);
        }
        PublishOptions options = publication.options();
        for (Map.Entry<String, String> header : trace.capture().entrySet()) {
            if (!options.headers().containsKey(header.getKey())) {
                options = options.withHeader(header.getKey(), header.getValue());
            }
        }
        return next.proceed(publication.withOptions(options));
    }

    @Override
    public void intercept(Object event, EventContext context, HandleInterceptor.Next next) throws Exception {
        TraceSpan span = trace.processing(new TraceContext.Processing(
                context.subscriber(), context.system(), context.message(), context.attempt()));
        TraceContext.Scope scope = span.makeCurrent();
        try {
            next.proceed();
        } catch (Throwable failure) {
            span.fail(failure.getClass().getName(), String.valueOf(failure.getMessage()));
            throw failure;
        } finally {
            scope.close();
            // Has no effect on one that has failed.
            span.end();
        }
    }
}
