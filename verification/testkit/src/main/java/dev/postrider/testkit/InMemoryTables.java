package dev.postrider.testkit;

import static java.util.Objects.requireNonNull;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.RowRef;
import dev.postrider.testkit.InMemoryMaintenance.OperationRow;
import dev.postrider.testkit.InMemoryMaintenance.TaskRow;
import dev.postrider.testkit.StoreFixture.OperationRecord;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tables of the in-memory store: committed state only, guarded by its own monitor. */
final class InMemoryTables {

    final Clock clock;
    final boolean keepsDelivered;
    final List<LaneRecord> lanes = new ArrayList<>();
    final Map<Integer, TreeMap<Long, StoredRow>> hot = new HashMap<>();
    final Map<Integer, TreeMap<Long, HeldRow>> held = new HashMap<>();
    final Map<Integer, TreeMap<Long, DeadLetter>> dead = new HashMap<>();
    final List<SentRow> sent = new ArrayList<>();
    final List<Partition> partitions = new ArrayList<>();
    final Map<String, TaskRow> tasks = new HashMap<>();
    final List<DelayedRow> delayed = new ArrayList<>();
    final Map<String, Instant> members = new HashMap<>();
    final Set<String> paused = new HashSet<>();
    final Map<String, Instant> dedupKeys = new HashMap<>();
    final Map<String, InMemoryTransaction> claimedDedupKeys = new HashMap<>();
    final List<OperationRow> operations = new ArrayList<>();
    int incarnation;
    FaultInjector faults = FaultInjector.none();
    private long nextSeq = 1;

    InMemoryTables(int laneCount, Clock clock, boolean keepsDelivered) {
        this.clock = clock;
        this.keepsDelivered = keepsDelivered;
        for (int lane = 0; lane < laneCount; lane++) {
            lanes.add(new LaneRecord(Optional.empty(), 0, Instant.MIN, Optional.empty()));
            hot.put(lane, new TreeMap<>());
            held.put(lane, new TreeMap<>());
            dead.put(lane, new TreeMap<>());
        }
    }

    TreeMap<Long, StoredRow> hot(int lane) {
        return requireNonNull(hot.get(lane));
    }

    TreeMap<Long, HeldRow> held(int lane) {
        return requireNonNull(held.get(lane));
    }

    TreeMap<Long, DeadLetter> dead(int lane) {
        return requireNonNull(dead.get(lane));
    }

    Instant now() {
        return clock.instant();
    }

    synchronized long drawSeq() {
        return nextSeq++;
    }

    /** Runs one operation of a port, with whatever fault the injector wants. */
    synchronized <T> T run(String operation, Supplier<T> effect) {
        FaultInjector.Fault fault = faults.decide(operation);
        if (fault == FaultInjector.Fault.BEFORE) {
            throw new InjectedFaultException(operation, "before");
        }
        T result = effect.get();
        if (fault == FaultInjector.Fault.AFTER) {
            throw new InjectedFaultException(operation, "after");
        }
        return result;
    }

    /** The same for an operation without result. */
    void run(String operation, Runnable effect) {
        run(operation, () -> {
            effect.run();
            return Boolean.TRUE;
        });
    }

    /** Remembers what an operator did, if it had any effect. */
    void record(String operator, String action, String details, int affected) {
        if (affected > 0) {
            operations.add(new OperationRow(new OperationRecord(operator, action, details, affected), now()));
        }
    }

    void requireLease(Lease lease) {
        LaneRecord lane = lanes.get(lease.lane());
        if (lane.epoch() != lease.epoch() || !lane.owner().equals(Optional.of(lease.owner()))) {
            throw new LeaseLostException(lease);
        }
    }

    /** The hot row, if it is still there and the same. */
    @Nullable
    StoredRow hotRow(RowRef ref) {
        StoredRow row = hot(ref.lane()).get(ref.seq());
        return row != null && row.ref().equals(ref) ? row : null;
    }

    @Nullable
    HeldRow heldRow(RowRef ref) {
        HeldRow row = held(ref.lane()).get(ref.seq());
        return row != null && row.row().ref().equals(ref) ? row : null;
    }

    /** A delayed message. */
    record DelayedRow(MessageId id, int lane, Instant dueAt, OutboxMessage message, Instant createdAt) {}
}
