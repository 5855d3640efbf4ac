package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message is held, its relay dies, the next message of its key is in the hot table: the new owner lets it wait. */
class HeldAfterCrashIT {

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void nothingPassesAHeldMessageOfItsKeyAfterATakeOver(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            AtomicBoolean accepts = new AtomicBoolean();
            Sent eight = scene.enqueue("key", 8);
            scene.broker()
                    .answer(delivery ->
                            delivery.id().equals(eight.id()) && !accepts.get() ? Answer.RETRY : Answer.ACKNOWLEDGE);
            RelayProcess dies = scene.startRelay(scene.settings("dies").backoff(Duration.ofSeconds(1)));
            Eventually.holds("8 is held", () -> scene.tables().count("outbox_held") == 1);
            dies.kill();
            Sent twelve = scene.enqueue("key", 12);
            Sent other = scene.enqueue("other", 1);

            scene.startRelay(scene.settings("takes-over").backoff(Duration.ofMillis(300)));
            Eventually.holds("12 waits behind 8", () -> scene.tables().count("outbox_held") == 2);
            Eventually.holds("another key flows", () -> scene.broker().has(other.id()));
            assertThat(scene.broker().has(twelve.id())).isFalse();

            accepts.set(true);

            scene.awaitDrained().requireExact();
            assertThat(scene.broker().deliveries()).extracting(Delivery::n).containsSubsequence(List.of(8L, 12L));
        }
    }
}
