package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReceiverBuildersTest {

    @Test
    void promisesThePerKeyOrderOnlyWhereRetriesKeepIt() {
        try (Receiver inPlace = RabbitmqReceiver.plain("q").declareTopology().build();
                Receiver requeuing =
                        RabbitmqReceiver.plain("q").declareTopology().requeue().build();
                Receiver parkingLot = RabbitmqReceiver.parkingLot("q").build()) {
            assertThat(inPlace.ordering()).isEqualTo(Ordering.PER_KEY);
            assertThat(requeuing.ordering()).isEqualTo(Ordering.NONE);
            assertThat(parkingLot.ordering()).isEqualTo(Ordering.NONE);
            assertThat(parkingLot.prefetch()).isEqualTo(16);
            assertThat(parkingLot.name()).isEqualTo("q");
            assertThat(parkingLot.healthCheck()).isEqualTo(Health.UNKNOWN);
        }
    }

    @Test
    void refusesADeadLetterExchangeThatNobodyDeclares() {
        assertThatThrownBy(() -> RabbitmqReceiver.plain("q").build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("declareTopology()")
                .hasMessageContaining("withoutDeadLetterExchange()");
    }

    @Test
    void refusesToCountWhereTheQueueDoesNot() {
        PlainReceiverBuilder builder =
                RabbitmqReceiver.plain("q").declareTopology().requeue().maxAttempts(5);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("quorumQueues()");
        builder.quorumQueues().build().close();
    }

    @Test
    void refusesKindsOfQueuesThatItDoesNotDeclare() {
        assertThatThrownBy(() ->
                        RabbitmqReceiver.parkingLot("q").singleActiveConsumer().build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("declareTopology()");
    }

    @Test
    void refusesBadValuesAtOnce() {
        assertThatThrownBy(() -> RabbitmqReceiver.plain(" ")).hasMessageContaining("blank");
        assertThatThrownBy(() -> RabbitmqReceiver.plain("q".repeat(240))).hasMessageContaining("queue");
        assertThatThrownBy(() -> RabbitmqReceiver.plain("q").prefetch(0)).hasMessageContaining("prefetch");
        assertThatThrownBy(() -> RabbitmqReceiver.plain("q").maxAttempts(0)).hasMessageContaining("maxAttempts");
        assertThatThrownBy(() -> RabbitmqReceiver.plain("q").retryPause(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("longest");
        assertThatThrownBy(() -> RabbitmqReceiver.parkingLot("q").maxRetries(-1))
                .hasMessageContaining("maxRetries");
        assertThatThrownBy(() -> RabbitmqReceiver.parkingLot("q").retryPause(Duration.ZERO))
                .hasMessageContaining("retryPause");
    }

    @Test
    void bindsNothingForTypesThatNameNoExchange() {
        for (String type : Set.of("Placed", ".Placed", "orders.")) {
            assertThatThrownBy(() -> EventBindings.Binding.ofType(type, Optional.empty()))
                    .isInstanceOf(ReceiverException.class)
                    .hasMessageContaining(type);
        }
    }

    @Test
    void canBeClosedWithoutHavingBeenStartedAndNotStartedAfter() {
        Receiver receiver = RabbitmqReceiver.parkingLot("q").build();
        receiver.close();

        assertThat(receiver.termination().toCompletableFuture()).isCompleted();
        assertThatThrownBy(() -> receiver.start(Subscription.toAll("s"), delivery -> {}))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void doublesItsPauses() {
        Backoff pauses = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

        assertThat(pauses.before(1)).hasMillis(200);
        assertThat(pauses.before(2)).hasMillis(400);
        assertThat(pauses.before(5)).hasMillis(3_200);
        assertThat(pauses.before(6)).hasSeconds(5);
        assertThat(pauses.before(Integer.MAX_VALUE)).hasSeconds(5);
    }

    @Test
    void hasRoomForSixteenMessages() {
        try (Receiver plain = RabbitmqReceiver.plain("q").declareTopology().build();
                Receiver parkingLot = RabbitmqReceiver.parkingLot("q").build()) {
            assertThat(plain.prefetch()).isEqualTo(16);
            assertThat(parkingLot.prefetch()).isEqualTo(16);
        }
    }
}
