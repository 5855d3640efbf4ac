package dev.postrider.destination.memory;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The groups of a destination, and the messages that wait until every group has room.
 *
 * <p>All groups take a message at once or none does, so that one that is given up on was seen by nobody. Groups are locked inside of
 * this one's lock, never the other way round; results are told outside of both. Thread-safe.
 */
final class SubscriberGroups {

    private final String destination;
    private final int capacity;
    private final Duration patience;
    private final Map<String, SubscriberGroup> groups = new LinkedHashMap<>();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private boolean isClosed;

    /**
     * No groups yet.
     *
     * @param patience how long a message waits for room
     */
    SubscriberGroups(String destination, int capacity, Duration patience) {
        this.destination = destination;
        this.capacity = capacity;
        this.patience = patience;
    }

    /** The group of this name, which from now on gets every message. */
    synchronized SubscriberGroup open(String name) {
        if (isClosed) {
            throw new IllegalStateException(closed());
        }
        return groups.computeIfAbsent(name, unused -> new SubscriberGroup(name, capacity, this::admit));
    }

    /** Gives the message to all groups now, or as soon as all have room. */
    CompletableFuture<DeliveryResult> offer(OutboxMessage message, int maxWaiting) {
        Waiting offered = new Waiting(message, new CompletableFuture<>());
        Optional<DeliveryResult> refusal = line(offered, maxWaiting);
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal.get());
        }
        admit();
        if (!offered.result.isDone()) {
            giveUpInTime(offered);
        }
        return offered.result;
    }

    private void giveUpInTime(Waiting offered) {
        CompletableFuture<Void> timer =
                new CompletableFuture<Void>().completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS);
        var unused = timer.thenRun(() -> giveUp(offered));
        // Else the timer would keep every message for that long.
        var unused2 = offered.result.whenComplete((result, failure) -> timer.cancel(false));
    }

    private synchronized Optional<DeliveryResult> line(Waiting offered, int maxWaiting) {
        if (isClosed) {
            return Optional.of(DeliveryResult.outage(closed()));
        } else if (groups.isEmpty()) {
            return Optional.of(DeliveryResult.outage("Nobody has subscribed to " + destination));
        } else if (waiting.size() >= maxWaiting) {
            return Optional.of(
                    DeliveryResult.outage("Too many messages wait for " + destination + ", " + maxWaiting + " do"));
        }
        waiting.add(offered);
        return Optional.empty();
    }

    /** Lets in what waits, for as long as every group has room. */
    private void admit() {
        takeAdmitted().forEach(admitted -> admitted.result.complete(DeliveryResult.DELIVERED));
    }

    private synchronized List<Waiting> takeAdmitted() {
        List<Waiting> admitted = new ArrayList<>();
        while (!waiting.isEmpty() && fullGroup().isEmpty()) {
            Waiting next = waiting.remove();
            groups.values().forEach(group -> group.add(next.message));
            admitted.add(next);
        }
        return admitted;
    }

    private Optional<SubscriberGroup> fullGroup() {
        return groups.values().stream().filter(group -> !group.hasRoom()).findFirst();
    }

    private void giveUp(Waiting late) {
        String reason;
        synchronized (this) {
            if (!waiting.remove(late)) {
                return;
            }
            reason = fullGroup().map(SubscriberGroup::whyFull).orElse("Other messages came first");
        }
        late.result.complete(DeliveryResult.outage(reason + "; " + destination + " waited for " + patience));
    }

    /** Down while a message would have to wait: a relay that tried it again might take it for the cause. */
    synchronized Health health() {
        if (isClosed) {
            return Health.down(closed());
        } else if (groups.isEmpty()) {
            return Health.down(destination + " has no subscribers");
        }
        return fullGroup().map(full -> Health.down(full.whyFull())).orElse(Health.UP);
    }

    /** Forgets a group with all that it has; its members end. */
    void remove(String name) {
        SubscriberGroup removed;
        synchronized (this) {
            removed = groups.remove(name);
        }
        if (removed != null) {
            removed.disband();
            admit();
        }
    }

    /** Takes no more, and returns when the members have worked off what was taken, or at the deadline. */
    void close(long deadline) {
        List<SubscriberGroup> all;
        List<Waiting> refused;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(groups.values());
            refused = List.copyOf(waiting);
            waiting.clear();
        }
        refused.forEach(each -> each.result.complete(DeliveryResult.outage(closed())));
        all.forEach(group -> group.close(deadline));
    }

    private String closed() {
        return "Destination " + destination + " is closed";
    }

    /** Compared by identity: the same message may be sent twice. */
    private static final class Waiting {

        private final OutboxMessage message;
        private final CompletableFuture<DeliveryResult> result;

        Waiting(OutboxMessage message, CompletableFuture<DeliveryResult> result) {
            this.message = message;
            this.result = result;
        }
    }
}
