package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.impl.DefaultExceptionHandler;
import dev.postrider.internal.LogThrottle;
import org.slf4j.LoggerFactory;

/** Does what RabbitMQ's client does by default with failures on its threads, but logs each kind once and without its trace. Thread-safe. */
final class ClientFailures extends DefaultExceptionHandler {

    private static final LogThrottle LOG = new LogThrottle(LoggerFactory.getLogger(ClientFailures.class));

    /** A connection that was reset: whoever uses it learns of that, too, and reports an outage. */
    @Override
    protected void log(String message, Throwable failure) {
        LOG.warn(message, failure, "RabbitMQ's client: {}", message);
    }
}
