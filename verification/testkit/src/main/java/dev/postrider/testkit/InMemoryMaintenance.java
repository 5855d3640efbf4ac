package dev.postrider.testkit;

import dev.postrider.internal.Readable;
import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.Maintenance;
import dev.postrider.testkit.StoreFixture.OperationRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Deletes old rows in memory. */
final class InMemoryMaintenance implements Maintenance {

    private final InMemoryTables tables;

    InMemoryMaintenance(InMemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public boolean takeTask(String task, String owner, Duration timeToLive) {
        return tables.run("maintenance.takeTask", () -> {
            TaskRow held = tables.tasks.get(task);
            if (held != null && !held.owner().equals(owner) && held.until().isAfter(tables.now())) {
                return false;
            }
            tables.tasks.put(task, new TaskRow(owner, tables.now().plus(timeToLive)));
            return true;
        });
    }

    @Override
    public void releaseTask(String task, String owner) {
        tables.run("maintenance.releaseTask", () -> {
            tables.tasks.computeIfPresent(task, (name, held) -> held.owner().equals(owner) ? null : held);
        });
    }

    @Override
    public int deleteSent(Duration olderThan, int limit) {
        return tables.run("maintenance.deleteSent", () -> remove(tables.sent, SentRow::deliveredAt, olderThan, limit));
    }

    @Override
    public int deleteDedupKeys(Duration olderThan, int limit) {
        return tables.run(
                "maintenance.deleteDedupKeys",
                () -> remove(tables.dedupKeys.entrySet(), entry -> entry.getValue(), olderThan, limit));
    }

    @Override
    public int deleteOperations(Duration olderThan, int limit) {
        return tables.run(
                "maintenance.deleteOperations",
                () -> remove(tables.operations, OperationRow::happenedAt, olderThan, limit));
    }

    private <T> int remove(Collection<T> rows, Function<T, Instant> time, Duration olderThan, int limit) {
        List<T> expired = expired(rows.stream(), time, olderThan, limit);
        rows.removeAll(expired);
        return expired.size();
    }

    private <T> List<T> expired(Stream<T> rows, Function<T, Instant> time, Duration olderThan, int limit) {
        Instant latest = tables.now().minus(olderThan);
        return rows.filter(row -> !time.apply(row).isAfter(latest))
                .sorted(Comparator.comparing(time))
                .limit(limit)
                .toList();
    }

    @Override
    public int deleteDeadLetters(Duration olderThan, int limit) {
        return tables.run("maintenance.deleteDeadLetters", () -> {
            Stream<DeadLetter> letters = tables.dead.values().stream()
                    .flatMap(lane -> lane.values().stream())
                    .filter(letter -> !letter.retryRequested());
            List<DeadLetter> expired = expired(letters, DeadLetter::diedAt, olderThan, limit);
            expired.forEach(letter ->
                    tables.dead(letter.ref().lane()).remove(letter.ref().seq()));
            tables.record("cleanup", "expire", "died more than " + Readable.time(olderThan) + " ago", expired.size());
            return expired.size();
        });
    }

    @Override
    public Optional<AuditPartitions> partitions() {
        return Optional.of(new InMemoryPartitions(tables));
    }

    /** What an operator did, and when. */
    record OperationRow(OperationRecord operation, Instant happenedAt) {}

    /** Who runs a task, and until when. */
    record TaskRow(String owner, Instant until) {}
}
