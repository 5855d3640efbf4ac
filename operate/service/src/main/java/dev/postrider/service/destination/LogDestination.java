package dev.postrider.service.destination;

import dev.postrider.internal.Printable;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs every message; thread-safe. */
final class LogDestination implements Destination {

    private static final Logger LOG = LoggerFactory.getLogger(LogDestination.class);

    private final String name;

    LogDestination(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        // In the text, since patterns such as Spring Boot's leave key-values out.
        LOG.info(
                "Message {} of destination {}: topic {}, key {}, type {}",
                message.id(),
                name,
                Printable.of(message.topic()),
                Printable.of(message.key().orElse("none")),
                Printable.of(message.type()));
        return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
    }

    @Override
    public Duration deliveryTimeout() {
        return Duration.ofMillis(100);
    }

    @Override
    public Health healthCheck() {
        return Health.UP;
    }
}
