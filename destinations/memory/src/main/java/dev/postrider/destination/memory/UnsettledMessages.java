package dev.postrider.destination.memory;

import dev.postrider.message.OutboxMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a receiver has taken and not yet settled: a bounded number, in order of arrival, and of each key at most one handed over. */
final class UnsettledMessages {

    /** What is to be done with a message that was added. */
    enum Added {
        FIRST_OF_ITS_KEY,
        WAITS_FOR_ITS_KEY,
        STOPPED
    }

    private final int limit;
    private final List<MemoryDelivery> inOrder = new ArrayList<>();
    private final Map<String, ArrayDeque<MemoryDelivery>> byKey = new LinkedHashMap<>();
    private int handingOver;
    private boolean isStopped;
    private Runnable onEmpty = () -> {};

    UnsettledMessages(int limit) {
        this.limit = limit;
    }

    synchronized boolean hasRoom() {
        return inOrder.size() < limit;
    }

    /** To be called only while there is room. */
    synchronized Added add(MemoryDelivery delivery) {
        if (isStopped) {
            return Added.STOPPED;
        }
        inOrder.add(delivery);
        return joinKey(delivery);
    }

    private Added joinKey(MemoryDelivery delivery) {
        Optional<String> key = delivery.message().key();
        if (key.isEmpty()) {
            return Added.FIRST_OF_ITS_KEY;
        }
        ArrayDeque<MemoryDelivery> queue = byKey.computeIfAbsent(key.get(), name -> new ArrayDeque<>());
        queue.add(delivery);
        return queue.size() == 1 ? Added.FIRST_OF_ITS_KEY : Added.WAITS_FOR_ITS_KEY;
    }

    /** Forgets a settled message; returns the next of its key, which is to be handed over. */
    Optional<MemoryDelivery> remove(MemoryDelivery delivery) {
        Optional<MemoryDelivery> next;
        Runnable then;
        synchronized (this) {
            if (!inOrder.remove(delivery)) {
                return Optional.empty();
            }
            next = delivery.message().key().flatMap(this::nextOf);
            then = inOrder.isEmpty() ? onEmpty : () -> {};
        }
        then.run();
        return next;
    }

    private Optional<MemoryDelivery> nextOf(String key) {
        ArrayDeque<MemoryDelivery> queue = byKey.get(key);
        queue.remove();
        if (queue.isEmpty()) {
            byKey.remove(key);
        }
        return Optional.ofNullable(queue.peek());
    }

    /** The next attempt takes the place of the last one, in front of its key. */
    synchronized void replace(MemoryDelivery last, MemoryDelivery next) {
        int place = inOrder.indexOf(last);
        if (place < 0) {
            return;
        }
        inOrder.set(place, next);
        last.message().key().ifPresent(key -> {
            ArrayDeque<MemoryDelivery> queue = byKey.get(key);
            queue.remove();
            queue.addFirst(next);
        });
    }

    synchronized boolean holds(MemoryDelivery delivery) {
        return inOrder.contains(delivery);
    }

    /** Says whether a message may be handed over now; if so, {@link #endHandOver} must follow. */
    synchronized boolean beginHandOver() {
        if (isStopped) {
            return false;
        }
        handingOver++;
        return true;
    }

    synchronized void endHandOver() {
        handingOver--;
        notifyAll();
    }

    /** Returns when nothing is being handed over any more, and nothing will be. */
    synchronized void stop() {
        isStopped = true;
        try {
            while (handingOver > 0) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized boolean isStopped() {
        return isStopped;
    }

    /** Everything that is left, in order of arrival; settling it has no effect from now on. */
    synchronized List<OutboxMessage> takeAll() {
        List<OutboxMessage> all = inOrder.stream().map(MemoryDelivery::message).toList();
        inOrder.clear();
        byKey.clear();
        return all;
    }

    /** Runs the action as soon as nothing is left. */
    void whenEmpty(Runnable action) {
        synchronized (this) {
            if (!inOrder.isEmpty()) {
                onEmpty = action;
                return;
            }
        }
        action.run();
    }
}
