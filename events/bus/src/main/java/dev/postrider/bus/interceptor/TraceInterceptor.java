package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.TraceContext;
import java.util.Objects;
import java.util.Optional;

/**
 * Carries the trace from whoever publishes to whoever handles, in the header {@code traceparent}. For both sides. Thread-safe.
 *
 * <p>A publication that has the header already keeps it.
 */
public final class TraceInterceptor implements PublishInterceptor, HandleInterceptor {

    private final TraceContext trace;

    public TraceInterceptor(TraceContext trace) {
        this.trace = Objects.requireNonNull(trace, "trace");
    }

    @Override
    public OutboxMessage intercept(Publication publication, PublishInterceptor.Next next) {
        if (publication.options().headers().containsKey(Headers.TRACE_PARENT)) {
            return next.proceed(publication);
        }
        return next.proceed(trace.current()
                .map(parent -> publication.withOptions(publication.options().withHeader(Headers.TRACE_PARENT, parent)))
                .orElse(publication));
    }

    @Override
    public void intercept(Object event, EventContext context, HandleInterceptor.Next next) throws Exception {
        Optional<String> parent = parentOf(context);
        if (parent.isEmpty()) {
            next.proceed();
            return;
        }
        try (TraceContext.Scope scope =
                trace.continueFrom(parent.get(), "handle " + context.message().type())) {
            Objects.requireNonNull(scope, "scope");
            next.proceed();
        }
    }

    /** A plain header, or the CloudEvents extension that other producers write. */
    private static Optional<String> parentOf(EventContext context) {
        return context.message()
                .headers()
                .get(Headers.TRACE_PARENT)
                .or(() -> context.attributes().get(Headers.TRACE_PARENT));
    }
}
