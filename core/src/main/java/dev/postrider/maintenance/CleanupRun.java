package dev.postrider.maintenance;

import dev.postrider.spi.Maintenance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** One run of a cleanup. A part that fails does not keep the others from running. */
final class CleanupRun {

    private final Maintenance maintenance;
    private final CleanupOptions options;
    private final BatchedDelete batches;
    private final List<RuntimeException> failures = new ArrayList<>();

    CleanupRun(Maintenance maintenance, CleanupOptions options, BatchedDelete batches) {
        this.maintenance = maintenance;
        this.options = options;
        this.batches = batches;
    }

    CleanupReport run() {
        long start = System.nanoTime();
        long dedupKeys = attempt(this::deleteDedupKeys);
        long deadLetters = attempt(this::deleteDeadLetters);
        long operations = attempt(this::deleteOperations);
        long sent = attempt(this::deleteSent);
        throwFailures();
        RunOutcome outcome = batches.mayGoOn() ? RunOutcome.DONE : RunOutcome.STOPPED;
        return new CleanupReport(
                outcome, sent, deadLetters, dedupKeys, operations, Duration.ofNanos(System.nanoTime() - start));
    }

    private long deleteDedupKeys() {
        return batches.untilDone(
                Expired.DEDUP_KEYS, limit -> maintenance.deleteDedupKeys(options.dedupRetention(), limit));
    }

    private long deleteDeadLetters() {
        return options.deadLetterRetention()
                .map(retention -> batches.untilDone(
                        Expired.DEAD_LETTERS, limit -> maintenance.deleteDeadLetters(retention, limit)))
                .orElse(0L);
    }

    private long deleteOperations() {
        return batches.untilDone(
                Expired.OPERATIONS, limit -> maintenance.deleteOperations(options.operationRetention(), limit));
    }

    private long deleteSent() {
        return batches.untilDone(Expired.SENT, limit -> maintenance.deleteSent(options.retention(), limit));
    }

    private long attempt(LongSupplier part) {
        try {
            return part.getAsLong();
        } catch (RuntimeException failure) {
            failures.add(failure);
            return 0;
        }
    }

    private void throwFailures() {
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }
}
