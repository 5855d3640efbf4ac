package dev.postrider.prove.run;

import dev.postrider.prove.Fault;
import dev.postrider.prove.ProofException;
import dev.postrider.store.existing.Preset;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * How much is to be proven.
 *
 * @param name what tables and topics are called: a letter, then letters, digits and underscores
 * @param time how long writers write and faults strike
 * @param seed chooses what writers do and when which fault strikes
 * @param keep whether tables and topics stay afterwards
 * @param preset whose tables are proven; empty for those of Postrider's own
 * @param patience after which what still waits, and has not become less meanwhile, is stuck
 */
public record ProofSettings(
        String name,
        Duration time,
        int relays,
        Set<Fault> faults,
        long seed,
        boolean keep,
        Optional<Preset> preset,
        Duration patience) {

    /** Several leases, the longest pause that a relay makes after failures, and the start of a relay on a busy machine. */
    public static final Duration USUAL_PATIENCE = Duration.ofMinutes(2);

    public ProofSettings {
        if (!name.matches("[a-z][a-z0-9_]{0,39}")) {
            throw new ProofException(
                    "The name '%s' is none for tables; expected a letter and up to 39 letters, digits and underscores"
                            .formatted(name));
        }
        if (time.toSeconds() < 5) {
            throw new ProofException("A proof takes at least 5 seconds, not " + time.toSeconds());
        }
        if (relays < 1 || relays > 16) {
            throw new ProofException("A proof has 1 to 16 relays, not " + relays);
        }
        if (relays == 1 && faults.contains(Fault.STOP)) {
            throw new ProofException("Stopping the only relay proves little; ask for 2 relays or more");
        }
        faults = Set.copyOf(faults);
    }
}
