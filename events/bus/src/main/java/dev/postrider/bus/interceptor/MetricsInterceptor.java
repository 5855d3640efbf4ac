package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.bus.interceptor.BusMetrics.Outcome;
import dev.postrider.internal.LogThrottle;
import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.LoggerFactory;

/** Reports every event to {@link BusMetrics}. A failing report stops nothing. For both sides. Thread-safe. */
public final class MetricsInterceptor implements PublishInterceptor, HandleInterceptor {

    private static final LogThrottle LOG = new LogThrottle(LoggerFactory.getLogger(MetricsInterceptor.class));

    private final BusMetrics metrics;

    public MetricsInterceptor(BusMetrics metrics) {
        this.metrics = Objects.requireNonNull(metrics, "metrics");
    }

    @Override
    public OutboxMessage intercept(Publication publication, PublishInterceptor.Next next) {
        long begin = System.nanoTime();
        Outcome outcome = Outcome.FAILURE;
        try {
            OutboxMessage message = next.proceed(publication);
            outcome = Outcome.SUCCESS;
            return message;
        } finally {
            Outcome reported = outcome;
            report(() -> metrics.published(publication.type().name(), reported, since(begin)));
        }
    }

    @Override
    public void intercept(Object event, EventContext context, HandleInterceptor.Next next) throws Exception {
        long begin = System.nanoTime();
        Outcome outcome = Outcome.SUCCESS;
        try {
            next.proceed();
        } catch (Exception | Error failure) {
            outcome = UnprocessableEventException.isCauseOf(failure) ? Outcome.UNPROCESSABLE : Outcome.FAILURE;
            throw failure;
        } finally {
            Outcome reported = outcome;
            report(() -> metrics.handled(context.subscriber(), context.message().type(), reported, since(begin)));
        }
    }

    private static void report(Runnable report) {
        try {
            report.run();
        } catch (RuntimeException failure) {
            LOG.warn("metric", failure, "A metric could not be reported");
        }
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
