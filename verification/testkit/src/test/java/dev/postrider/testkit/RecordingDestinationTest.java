package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RecordingDestinationTest {

    private final RecordingDestination broker = new RecordingDestination("broker");
    private final OutboxMessage message = StoreDriver.message("a");

    private CompletableFuture<DeliveryResult> send() {
        return broker.send(message).toCompletableFuture();
    }

    @Test
    void deliversAtOnceByDefault() {
        assertThat(send()).isCompletedWithValue(DeliveryResult.DELIVERED);
        assertThat(broker.delivered()).containsExactly(message);
    }

    @Test
    void answersTheNextSendsAndThenAsScripted() {
        DeliveryResult busy = DeliveryResult.retry("busy");
        DeliveryResult refused = DeliveryResult.reject("refused");
        broker.answerNext(busy);
        broker.answer(sent -> refused);

        assertThat(send()).isCompletedWithValue(busy);
        assertThat(send()).isCompletedWithValue(refused);
        assertThat(broker.sent()).hasSize(2);
        assertThat(broker.delivered()).isEmpty();
    }

    @Test
    void holdsAnswersUntilTheyAreReleased() {
        broker.hold();
        CompletableFuture<DeliveryResult> waiting = send();

        assertThat(waiting).isNotDone();
        assertThat(broker.waiting()).isEqualTo(1);
        assertThat(broker.delivered()).isEmpty();

        broker.release();
        assertThat(waiting).isCompletedWithValue(DeliveryResult.DELIVERED);
        assertThat(send()).isCompleted();
    }

    @Test
    void waitsForDeliveries() {
        assertThat(send()).isCompleted();

        broker.awaitDelivered(1, Duration.ZERO);
        assertThatThrownBy(() -> broker.awaitDelivered(2, Duration.ofMillis(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1 of 2 delivered");
    }
}
