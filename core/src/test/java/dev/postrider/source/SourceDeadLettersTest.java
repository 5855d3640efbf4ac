package dev.postrider.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.relay.DrainReport;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.StoreException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Items that were given up, and what operators may do with them. */
class SourceDeadLettersTest extends SourceSetting {

    @Test
    void tellsTheSourceWhatWasGivenUpAndWhy() {
        destination.answer(message -> DeliveryResult.retry("never"));
        source.movesAway = true;
        source.add(event("a1", "a", 1));
        Relay relay = relay(store).maxAttempts(2).build();
        relay.drainOnce();
        clock.advance(Duration.ofSeconds(1));
        relay.drainOnce();

        assertThat(source.givenUp).containsExactly("a1 ATTEMPTS_EXHAUSTED never");
        assertThat(source.events()).isEmpty();
        assertThat(source.acknowledged).isEmpty();
        relay.drainOnce();
        assertThat(store.stats().dead()).isZero();
    }

    @Test
    void keepsADeadLetterInMemoryWhileTheSourceStillReturnsIt() {
        reject("a1");
        source.add(event("a1", "a", 1), event("a2", "a", 2));
        drain();
        assertThat(drain().delivered()).isZero();

        assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
                .singleElement()
                .satisfies(letter -> {
                    assertThat(letter.message().type()).isEqualTo("a1");
                    assertThat(letter.reason()).isEqualTo(DeadReason.REJECTED);
                    assertThat(letter.attempts()).isEqualTo(1);
                    assertThat(letter.error()).isEqualTo("bad");
                });
        assertThat(store.deadLetters().find(event("a1", "a", 1).id())).isPresent();
        assertThat(store.deadLetters().count(DeadLetterFilter.all().withKey("b"), 10))
                .isZero();
        assertThat(deliveredOf("a")).containsExactly("a2");
    }

    @Test
    void triesADeadLetterAgainWhenAnOperatorWants() {
        reject("a1");
        source.add(event("a1", "a", 1));
        drain();
        destination.answer(message -> delivered());
        assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "operator"))
                .isOne();
        assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "operator"))
                .isZero();

        assertThat(drain().delivered()).isOne();
        assertThat(source.events()).isEmpty();
        assertThat(store.stats().dead()).isZero();
    }

    @Test
    void acknowledgesADeadLetterThatAnOperatorDiscards() {
        reject("a1");
        source.add(event("a1", "a", 1));
        drain();

        assertThat(store.deadLetters().discard(DeadLetterFilter.all(), 10, "operator"))
                .isOne();
        assertThat(source.acknowledged).containsExactly(event("a1", "a", 1));
        assertThat(drain().delivered()).isZero();
    }

    @Test
    void keepsADeadLetterThatCouldNotBeDiscarded() {
        reject("a1");
        source.add(event("a1", "a", 1));
        drain();
        source.failsToAcknowledge = true;

        assertThatThrownBy(() -> store.deadLetters().discard(DeadLetterFilter.all(), 10, "operator"))
                .isInstanceOf(StoreException.class)
                .hasMessage("The source events failed to acknowledge: java.io.IOException: read-only disk");
        assertThat(store.deadLetters().count(DeadLetterFilter.all(), 10)).isOne();
    }

    @Test
    void remembersADeadLetterThatAFetchMissedWhileItCouldNotBeDiscarded() {
        reject("a1");
        source.add(event("a1", "a", 1));
        drain();
        source.failsToAcknowledge = true;
        source.beforeRollback = () -> {
            drain();
            assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "other"))
                    .isZero();
        };
        assertThatThrownBy(() -> store.deadLetters().discard(DeadLetterFilter.all(), 10, "operator"))
                .isInstanceOf(StoreException.class);

        drain();
        assertThat(destination.sent()).hasSize(1);
        assertThat(store.deadLetters().count(DeadLetterFilter.all(), 10)).isOne();
    }

    @Test
    void discardsOldDeadLettersInACleanup() {
        reject("a1");
        source.add(event("a1", "a", 1));
        drain();
        assertThat(store.maintenance().deleteDeadLetters(Duration.ofHours(1), 10))
                .isZero();

        clock.advance(Duration.ofHours(2));
        assertThat(store.maintenance().deleteDeadLetters(Duration.ofHours(1), 10))
                .isOne();
        assertThat(source.events()).isEmpty();
    }

    @Test
    void goesOnWhenTheSourceCannotTakeBackADeadLetterAndTellsItLater() {
        reject("a1");
        source.failsToGiveUp = true;
        source.add(event("a1", "a", 1), event("b1", "b", 1));
        assertThat(drain()).isEqualTo(new DrainReport(1, 1, 1, true));
        assertThat(source.givenUp).isEmpty();

        source.failsToGiveUp = false;
        source.movesAway = true;
        drain();
        assertThat(source.givenUp).isEmpty();
        clock.advance(Duration.ofSeconds(10));
        drain();
        assertThat(source.givenUp).containsExactly("a1 REJECTED bad");
        assertThat(source.events()).isEmpty();
    }

    @Test
    void blocksAKeyUntilAnOperatorUnblocksIt() {
        reject("a1");
        source.add(event("a1", "a", 1), event("a2", "a", 2), event("b1", "b", 1));
        Relay relay = relay(store).onExhausted(OnExhausted.BLOCK_KEY).build();
        relay.drainOnce();
        clock.advance(Duration.ofDays(1));
        relay.drainOnce();
        assertThat(deliveredOf("a")).isEmpty();

        destination.answer(message -> delivered());
        assertThat(store.unblock(Optional.of("b"), "operator")).isZero();
        assertThat(store.unblock(Optional.of("a"), "operator")).isOne();
        relay.drainOnce();
        assertThat(deliveredOf("a")).containsExactly("a1", "a2");
    }
}
