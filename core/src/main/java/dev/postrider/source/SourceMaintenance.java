package dev.postrider.source;

import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.Maintenance;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Old dead letters are discarded; there is nothing else to clean up. Tasks are shared within this process. */
final class SourceMaintenance implements Maintenance {

    private final DeadLetters deadLetters;
    private final SourceMemory<?> memory;
    private final Map<String, Task> tasks = new HashMap<>();

    SourceMaintenance(DeadLetters deadLetters, SourceMemory<?> memory) {
        this.deadLetters = deadLetters;
        this.memory = memory;
    }

    @Override
    public synchronized boolean takeTask(String task, String owner, Duration timeToLive) {
        Task taken = tasks.get(task);
        if (taken != null && !taken.owner().equals(owner) && memory.nanos() - taken.until() < 0) {
            return false;
        }
        tasks.put(task, new Task(owner, memory.nanos() + timeToLive.toNanos()));
        return true;
    }

    @Override
    public synchronized void releaseTask(String task, String owner) {
        tasks.computeIfPresent(task, (name, taken) -> taken.owner().equals(owner) ? null : taken);
    }

    @Override
    public int deleteDeadLetters(Duration olderThan, int limit) {
        return deadLetters.discard(
                DeadLetterFilter.all().withDiedBefore(memory.now().minus(olderThan)), limit, "cleanup");
    }

    private record Task(String owner, long until) {}
}
