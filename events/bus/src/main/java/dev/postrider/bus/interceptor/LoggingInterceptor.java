package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.internal.Readable;
import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs every event that was published or handled: type, id, how long it took; success at debug, failure at warn. Never the data.
 * For both sides. Thread-safe.
 */
public final class LoggingInterceptor implements PublishInterceptor, HandleInterceptor {

    private final Logger log;

    /** Logs under the name of this class. */
    public LoggingInterceptor() {
        this(LoggerFactory.getLogger(LoggingInterceptor.class));
    }

    public LoggingInterceptor(Logger log) {
        this.log = Objects.requireNonNull(log, "log");
    }

    @Override
    public OutboxMessage intercept(Publication publication, PublishInterceptor.Next next) {
        long begin = System.nanoTime();
        try {
            OutboxMessage message = next.proceed(publication);
            log.debug("Published {} {} in {}", publication.type().name(), message.id(), since(begin));
            return message;
        } catch (RuntimeException | Error failure) {
            log.warn("Could not publish {} after {}: {}", publication.type().name(), since(begin), failure.toString());
            throw failure;
        }
    }

    @Override
    public void intercept(Object event, EventContext context, HandleInterceptor.Next next) throws Exception {
        long begin = System.nanoTime();
        OutboxMessage message = context.message();
        try {
            next.proceed();
            log.debug("Handled {} {} in {}", message.type(), message.id(), since(begin));
        } catch (Exception | Error failure) {
            log.warn(
                    "Could not handle {} {} at attempt {} after {}: {}",
                    message.type(),
                    message.id(),
                    context.attempt(),
                    since(begin),
                    failure.toString());
            throw failure;
        }
    }

    private static String since(long begin) {
        return Readable.time(Duration.ofNanos(System.nanoTime() - begin));
    }
}
