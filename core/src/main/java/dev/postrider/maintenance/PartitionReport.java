package dev.postrider.maintenance;

import java.util.List;

/**
 * What one run of {@link PartitionKeeper} did, by names of partitions.
 *
 * @param postponed neither created nor dropped because somebody uses the table; tried again soon
 * @param skipped not created because the tail holds too many rows of their time
 * @param deletedFromTail rows older than the retention that lay in the tail
 */
public record PartitionReport(
        RunOutcome outcome,
        List<String> created,
        List<String> dropped,
        List<String> postponed,
        List<String> skipped,
        long deletedFromTail) {

    public PartitionReport {
        created = List.copyOf(created);
        dropped = List.copyOf(dropped);
        postponed = List.copyOf(postponed);
        skipped = List.copyOf(skipped);
    }

    static PartitionReport elsewhere() {
        return new PartitionReport(RunOutcome.ELSEWHERE, List.of(), List.of(), List.of(), List.of(), 0);
    }
}
