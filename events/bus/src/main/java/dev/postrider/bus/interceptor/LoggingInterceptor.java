package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs every event that was published or handled: type, id, how long it took; success at debug, failure at warn. Never the data. Of many
 * failures of a kind it writes the first, then a count every 30 seconds; each is there at debug. For both sides. Thread-safe.
 */
public final class LoggingInterceptor implements PublishInterceptor, HandleInterceptor {

    private final Logger log;
    private final LogThrottle throttle;

    /** Logs under the name of this class. */
    public LoggingInterceptor() {
        this(LoggerFactory.getLogger(LoggingInterceptor.class));
    }

    public LoggingInterceptor(Logger log) {
        this.log = Objects.requireNonNull(log, "log");
        this.throttle = new LogThrottle(log);
    }

    @Override
    public OutboxMessage intercept(Publication publication, PublishInterceptor.Next next) {
        long begin = System.nanoTime();
        try {
            OutboxMessage message = next.proceed(publication);
            log.debug("Published {} {} in {}", publication.type().name(), message.id(), since(begin));
            return message;
        } catch (RuntimeException | Error failure) {
            String type = publication.type().name();
            throttle.warn(kind("publish", type, failure), failure, "Could not publish {} after {}", type, since(begin));
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
            throttle.warn(
                    kind("handle", message.type(), failure),
                    failure,
                    "Could not handle {} {} at attempt {} after {}",
                    message.type(),
                    message.id(),
                    context.attempt(),
                    since(begin));
            throw failure;
        }
    }

    private static List<Object> kind(String what, String type, Throwable failure) {
        return List.of(what, type, failure.getClass());
    }

    private static String since(long begin) {
        return Readable.time(Duration.ofNanos(System.nanoTime() - begin));
    }
}
