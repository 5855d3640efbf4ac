package dev.postrider.destination.kafka;

import dev.postrider.destination.kafka.IncomingRecord.State;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * All records that a receiver has fetched and is not done with.
 *
 * <p>The polling thread adds records and asks what to commit and which partitions to pause; settling threads, the timer and the
 * producer's thread change states. One lock guards everything; nobody is called under it.
 */
final class Intake {

    private final int prefetch;
    private final int maxUncommitted;
    private final long maxBytes;
    private final Map<TopicPartition, PartitionWindow> windows = new HashMap<>();
    private final ArrayDeque<IncomingRecord> ready = new ArrayDeque<>();
    private long bytes;
    private int handedOver;
    private int handingOver;
    private boolean isStopped;
    private boolean isHurried;

    Intake(int prefetch, int maxUncommitted, long maxBytes) {
        this.prefetch = prefetch;
        this.maxUncommitted = maxUncommitted;
        this.maxBytes = maxBytes;
    }

    synchronized void open(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> windows.put(partition, new PartitionWindow(partition)));
    }

    synchronized Optional<PartitionWindow> window(TopicPartition partition) {
        return Optional.ofNullable(windows.get(partition));
    }

    /**
     * Takes a record in the order of its partition.
     *
     * @param state in which it begins once no other of its key is before it
     * @return whether it has begun
     */
    synchronized boolean add(IncomingRecord record, State state) {
        PartitionWindow window = record.window;
        if (window.isGone()) {
            return false;
        }
        boolean isFirst = window.add(record);
        record.stateWhenFirst = state;
        bytes += record.bytes;
        if (isFirst) {
            enter(record, state);
        }
        return isFirst;
    }

    /** Nobody wants the record: it counts as done with. */
    synchronized void passOver(IncomingRecord record) {
        record.window.add(record);
        record.window.finish(record);
    }

    private void enter(IncomingRecord record, State state) {
        record.state = state;
        if (state == State.READY && record.window.isOpen()) {
            ready.add(record);
        }
        if (state == State.FORWARDING) {
            record.window.busy(1);
        }
    }

    /** The next record for the handler, if there may be one now; {@link #endHandOver} must follow. */
    synchronized Optional<IncomingRecord> beginHandOver() {
        if (isStopped || handedOver >= prefetch || ready.isEmpty()) {
            return Optional.empty();
        }
        IncomingRecord record = ready.remove();
        record.state = State.HANDED_OVER;
        record.attempt++;
        record.window.busy(1);
        handedOver++;
        handingOver++;
        return Optional.of(record);
    }

    synchronized void endHandOver() {
        handingOver--;
        notifyAll();
    }

    /** The record is done with, by its handler or because another topic has it. */
    synchronized void finish(IncomingRecord record) {
        if (leaveState(record)) {
            bytes -= record.bytes;
            record.window.finish(record).ifPresent(next -> enter(next, next.stateWhenFirst));
        }
    }

    /** The record is to be handed over again; says whether {@link #resume} is to be called later. */
    synchronized boolean postpone(IncomingRecord record) {
        if (!leaveState(record)) {
            return false;
        }
        record.state = State.POSTPONED;
        return record.window.isOpen();
    }

    /** The record need not wait any longer, unless it is behind another one. */
    synchronized void resume(IncomingRecord record) {
        record.stateWhenFirst = State.READY;
        if (record.state == State.POSTPONED && record.window.isOpen()) {
            enter(record, State.READY);
        }
    }

    /** The record goes to another topic; says whether it still may. */
    synchronized boolean beginForward(IncomingRecord record) {
        if (!leaveState(record)) {
            return false;
        }
        enter(record, State.FORWARDING);
        return true;
    }

    /** Whether it is still of use to send the record to another topic. */
    synchronized boolean isForwarding(IncomingRecord record) {
        return record.state == State.FORWARDING && !record.window.isGone();
    }

    /** Says whether the record was in the hands of somebody, and still is this receiver's. */
    private boolean leaveState(IncomingRecord record) {
        if (record.state != State.HANDED_OVER && record.state != State.FORWARDING) {
            return false;
        }
        // A handler keeps its place until it has ended, also when its partition has gone.
        handedOver -= record.state == State.HANDED_OVER ? 1 : 0;
        record.window.busy(-1);
        notifyAll();
        if (record.window.isGone()) {
            record.markDone();
            return false;
        }
        return true;
    }

    /** Partitions from which nothing more should be fetched for now. */
    synchronized Set<TopicPartition> full() {
        Set<TopicPartition> full = new HashSet<>();
        boolean isFull = isStopped || bytes >= maxBytes;
        windows.values().stream()
                .filter(window -> isFull || window.size() >= maxUncommitted)
                .forEach(window -> full.add(window.partition));
        return full;
    }

    /** What can be committed and is not: of each partition the first record that is not done with. */
    synchronized Map<TopicPartition, OffsetAndMetadata> uncommitted() {
        return positions(windows.values());
    }

    private static Map<TopicPartition, OffsetAndMetadata> positions(Collection<PartitionWindow> windows) {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        windows.forEach(window -> window.uncommitted()
                .ifPresent(offset -> positions.put(window.partition, new OffsetAndMetadata(offset))));
        return positions;
    }

    synchronized void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach(
                (partition, offset) -> window(partition).ifPresent(window -> window.committed(offset.offset())));
    }

    /**
     * Waits for the handlers of these partitions, hands over nothing more of them, and lets them go.
     *
     * @param patience how long to wait
     * @return what can be committed for them
     */
    synchronized Map<TopicPartition, OffsetAndMetadata> release(
            Collection<TopicPartition> partitions, Duration patience) {
        List<PartitionWindow> leaving =
                partitions.stream().map(windows::get).filter(Objects::nonNull).toList();
        leaving.forEach(PartitionWindow::leave);
        ready.removeIf(record -> !record.window.isOpen());
        await(patience, () -> isHurried || leaving.stream().allMatch(PartitionWindow::isQuiet));
        Map<TopicPartition, OffsetAndMetadata> positions = positions(leaving);
        leaving.forEach(this::end);
        return positions;
    }

    synchronized void releaseAll() {
        release(List.copyOf(windows.keySet()), Duration.ZERO);
    }

    private void end(PartitionWindow window) {
        for (IncomingRecord record : window.records()) {
            bytes -= record.state == State.DONE ? 0 : record.bytes;
        }
        window.end();
        windows.remove(window.partition);
        notifyAll();
    }

    /** Returns when nothing is being handed over any more, and nothing will be. */
    synchronized void stop() {
        isStopped = true;
        notifyAll();
        await(Duration.ofDays(1), () -> handingOver == 0);
    }

    /** From now on nobody waits for handlers. */
    synchronized void hurry() {
        isHurried = true;
        notifyAll();
    }

    /** Waits for records that are on their way to another topic. */
    synchronized void awaitForwards(Duration patience) {
        await(patience, () -> windows.values().stream().noneMatch(Intake::isForwarding));
    }

    private static boolean isForwarding(PartitionWindow window) {
        for (IncomingRecord record : window.records()) {
            if (record.state == State.FORWARDING) {
                return true;
            }
        }
        return false;
    }

    private void await(Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
