package dev.postrider.destination.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What needs no server. */
class NatsDestinationTest {

    @Test
    void endsASendThatFailsWithAnErrorAndMakesRoomForTheNext() {
        Destination destination = NatsDestination.builder("nats")
                .maxInFlight(1)
                .customize(options -> {
                    throw new NoClassDefFoundError("of a library that the user forgot");
                })
                .build();
        OutboxMessage message = OutboxMessage.builder("orders").type("t").build();

        for (int i = 0; i < 3; i++) {
            assertThat(destination.send(message).toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(60))
                    .isInstanceOf(DeliveryResult.Retry.class);
        }
        destination.close();
    }
}
