package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What stands between "snippet" and "end" stands in docs/guides/rabbitmq-receiver.md as well; SnippetsTest compares. */
class RabbitmqReceiverGuideTest {

    private final String password = "secret";

    @Test
    void opensAParkingLot() {
        // snippet: parking-lot
        Receiver receiver = RabbitmqReceiver.parkingLot("billing")
                .addresses("rabbit-1.example:5672", "rabbit-2.example:5672")
                .credentials("billing", password)
                .declareTopology()
                .bindEvents()
                .maxRetries(3)
                .retryPause(Duration.ofSeconds(15))
                .build();
        // end
        assertThat(receiver.ordering()).isEqualTo(Ordering.NONE);
        receiver.close();
    }

    @Test
    void waitsLongerAfterEachFailure() {
        // snippet: pauses
        Receiver receiver = RabbitmqReceiver.parkingLot("billing")
                .declareTopology()
                .quorumQueues()
                .retryPauses(Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofMinutes(10))
                .maxRetries(6)
                .build();
        // end
        receiver.close();
    }

    @Test
    void triesAgainInPlace() {
        // snippet: plain
        Receiver receiver = RabbitmqReceiver.plain("search")
                .declareTopology()
                .bindEvents()
                .declareExchanges()
                .singleActiveConsumer()
                .retryPause(Duration.ofMillis(200), Duration.ofSeconds(5))
                .build();
        // end
        assertThat(receiver.ordering()).isEqualTo(Ordering.PER_KEY);
        receiver.close();
    }

    @Test
    void usesAQueueThatOthersDeclared() {
        // snippet: requeue
        Receiver receiver = RabbitmqReceiver.plain("search")
                .withoutDeadLetterExchange()
                .requeue()
                .prefetch(50)
                .build();
        // end
        assertThat(receiver.prefetch()).isEqualTo(50);
        receiver.close();
    }

    @Test
    void endsTheProcessAfterALimit() {
        // snippet: recovery-timeout
        Receiver receiver = RabbitmqReceiver.parkingLot("billing")
                .declareTopology()
                .recoveryTimeout(Duration.ofMinutes(10))
                .build();
        receiver.termination().whenComplete((ended, failure) -> {
            if (failure != null) {
                System.exit(1);
            }
        });
        // end
        receiver.close();
        assertThat(receiver.termination().toCompletableFuture()).isCompleted();
    }
}
