package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.OutboxStore;
import java.util.List;
import java.util.Optional;

/** What becomes of rows that no message can be read from, for tests of stores. */
public final class UnreadableRows {

    private UnreadableRows() {}

    /** The first hundred dead letters. */
    public static List<DeadLetter> letters(OutboxStore store) {
        return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 100);
    }

    /**
     * Asserts that the one row in the outbox, which is over the limits of the first store, becomes a dead letter with all its
     * bytes, and is delivered by the second store.
     *
     * @param raised the same outbox with limits that the row is within
     */
    public static void assertRetriedOnceTheLimitIsRaised(OutboxStore limited, OutboxStore raised, byte[] payload) {
        RecordingDestination destination = new RecordingDestination("recording");
        Relay.withDefaults(limited, destination).drainOnce();
        DeadLetter letter = letters(limited).get(0);

        assertThat(letter.isReadable()).isFalse();
        assertThat(limited.deadLetters().raw(letter.ref()).orElseThrow().payload())
                .isEqualTo(payload);
        assertThat(limited.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann"))
                .isZero();

        assertThat(raised.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann"))
                .isOne();
        Relay.withDefaults(raised, destination).drainOnce();
        assertThat(destination.delivered())
                .singleElement()
                .satisfies(message -> assertThat(message.payload()).isEqualTo(payload));
        assertThat(letters(raised)).isEmpty();
    }
}
