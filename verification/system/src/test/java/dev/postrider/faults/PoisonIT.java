package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.prove.write.LedgerEntry;
import dev.postrider.prove.write.Writers;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message that makes the broker drop its connection looks like an outage, again and again. */
class PoisonIT {

    private static final int MAX_ATTEMPTS = 3;

    /** Long enough that a busy machine brings about no outage by itself. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void endsAsADeadLetterAndTheRestFlows(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            Writers writers = scene.startWriters(Plans.usual());
            LedgerEntry poison = scene.enqueue("poisoned", 1);
            scene.broker()
                    .answer(delivery ->
                            delivery.id().equals(poison.id()) ? Answer.DROP_CONNECTION : Answer.ACKNOWLEDGE);
            RelayProcess relay =
                    scene.startRelay(scene.settings("relay").lease(LEASE).maxAttempts(MAX_ATTEMPTS));
            LedgerEntry behind = scene.enqueue("poisoned", 2);

            Eventually.holds(
                    "the poison is a dead letter",
                    () -> scene.tables().deadIds().contains(poison.id()));

            writers.stop();
            scene.awaitDrained().requireExact();
            assertThat(scene.broker().has(behind.id())).isTrue();
            DeadLetter letter =
                    scene.store().deadLetters().find(MessageId.of(poison.id())).orElseThrow();
            assertThat(letter.reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
            assertThat(letter.attempts()).isEqualTo(MAX_ATTEMPTS);
            assertThat(relay.events(RelayEvent.FAILED))
                    .as("attempts counted, none of innocents")
                    .hasSize(MAX_ATTEMPTS)
                    .containsOnly(poison.id());
        }
    }
}
