package dev.postrider.prove.run;

import dev.postrider.prove.check.Verdict;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a proof ended.
 *
 * @param transactions how many were committed, as far as the writers know
 * @param history where a failed proof left what happened
 */
public record ProofResult(Verdict verdict, long transactions, int faults, Optional<Path> history) {

    /** Whether every promise held. */
    public boolean holds() {
        return verdict.holds();
    }

    /** For scripts; its words do not change. */
    public String lastLine() {
        return "prove: committed=%d delivered=%d lost=%d phantom=%d duplicates=%d out_of_order=%d stuck_keys=%d faults=%d"
                .formatted(
                        verdict.committed(),
                        verdict.delivered(),
                        verdict.lost().size(),
                        verdict.phantoms().size(),
                        verdict.duplicates(),
                        verdict.outOfOrder().size(),
                        verdict.stuckKeys().size(),
                        faults);
    }
}
