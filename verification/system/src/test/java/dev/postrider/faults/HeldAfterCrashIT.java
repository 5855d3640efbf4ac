package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.prove.write.LedgerEntry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message is held, its relay dies, the next message of its key is in the hot table: the new owner lets it wait. */
class HeldAfterCrashIT {

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void nothingPassesAHeldMessageOfItsKeyAfterATakeOver(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            scene.broker().answer(delivery -> delivery.relay().equals("dies") ? Answer.RETRY : Answer.ACKNOWLEDGE);
            scene.enqueue("key", 8);
            // Not due for long, so that the new owner has no reason to read it.
            RelayProcess dies = scene.startRelay(scene.settings("dies").backoff(Duration.ofHours(1)));
            Eventually.holds("8 is held", () -> scene.tables().count("outbox_held") == 1);
            dies.kill();
            LedgerEntry twelve = scene.enqueue("key", 12);
            LedgerEntry other = scene.enqueue("other", 1);

            scene.startRelay("takes-over");
            Eventually.holds("another key flows", () -> scene.broker().has(other.id()));
            Eventually.holds("12 has left the hot table", () -> scene.tables().count("outbox") == 0);
            assertThat(scene.broker().has(twelve.id())).isFalse();

            scene.tables().makeHeldDue();

            scene.awaitDrained().requireExact();
            assertThat(scene.broker().deliveries()).extracting(Delivery::n).containsSubsequence(List.of(8L, 12L));
        }
    }
}
