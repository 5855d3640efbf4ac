package dev.postrider.maintenance;

import java.util.List;

/**
 * What one run of {@link PartitionKeeper} did, by names of partitions.
 *
 * @param postponed neither created nor dropped because somebody uses the table; tried again soon
 * @param skipped not created because the tail holds too many rows of their time
 * @param kept too old, and not dropped because they hold messages that were not delivered
 * @param deletedFromTail rows older than the retention that lay in the tail
 */
public record PartitionReport(
        RunOutcome outcome,
        List<String> created,
        List<String> dropped,
        List<String> postponed,
        List<String> skipped,
        List<String> kept,
        long deletedFromTail) {

    public PartitionReport {
        created = List.copyOf(created);
        dropped = List.copyOf(dropped);
        postponed = List.copyOf(postponed);
        skipped = List.copyOf(skipped);
        kept = List.copyOf(kept);
    }

    /** Whether something was to be done and nothing could be: all of it was postponed, skipped or kept. */
    public boolean isStuck() {
        boolean wasNeeded = !postponed.isEmpty() || !skipped.isEmpty() || !kept.isEmpty();
        return wasNeeded && created.isEmpty() && dropped.isEmpty() && deletedFromTail == 0;
    }

    static PartitionReport elsewhere() {
        return new PartitionReport(RunOutcome.ELSEWHERE, List.of(), List.of(), List.of(), List.of(), List.of(), 0);
    }
}
