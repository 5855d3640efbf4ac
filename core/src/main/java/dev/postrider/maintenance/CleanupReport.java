package dev.postrider.maintenance;

import java.time.Duration;

/**
 * What one run of {@link Cleanup} did.
 *
 * @param sent rows deleted from the audit trail
 * @param deadLetters dead letters deleted
 * @param dedupKeys dedup keys forgotten
 * @param operations records of operations deleted
 */
public record CleanupReport(
        RunOutcome outcome, long sent, long deadLetters, long dedupKeys, long operations, Duration took) {

    static CleanupReport elsewhere() {
        return new CleanupReport(RunOutcome.ELSEWHERE, 0, 0, 0, 0, Duration.ZERO);
    }

    /** All rows deleted. */
    public long total() {
        return sent + deadLetters + dedupKeys + operations;
    }
}
