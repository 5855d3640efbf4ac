package dev.postrider.destination.memory;

import dev.postrider.destination.memory.MemoryDestination.Subscription;
import dev.postrider.internal.LogThrottle;
import dev.postrider.message.OutboxMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A bounded buffer of messages and the threads that take from it. It stays as it is while there are no such threads. */
final class SubscriberGroup {

    private static final Logger LOG = LoggerFactory.getLogger(SubscriberGroup.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;

    private final String name;
    private final int capacity;
    private final ArrayDeque<OutboxMessage> buffer = new ArrayDeque<>();
    private final List<Member> members = new ArrayList<>();
    private final Runnable onRoom;
    private boolean isClosed;

    /**
     * An empty group.
     *
     * @param onRoom called outside of the group's lock when its buffer is full no more
     */
    SubscriberGroup(String name, int capacity, Runnable onRoom) {
        this.name = name;
        this.capacity = capacity;
        this.onRoom = onRoom;
    }

    synchronized boolean hasRoom() {
        return buffer.size() < capacity;
    }

    /** For people, when it has no room. */
    synchronized String whyFull() {
        return "Group %s has no room for another message; %s"
                .formatted(
                        name,
                        members.isEmpty()
                                ? "it has no members: let one subscribe again, or remove the group"
                                : "its members are slow: " + members.size());
    }

    /** Adds a message, for which there must be room. */
    synchronized void add(OutboxMessage message) {
        buffer.add(message);
        notifyAll();
    }

    Subscription add(Consumer<OutboxMessage> handler) {
        return add(handler, () -> true, () -> {});
    }

    /**
     * A member that takes messages only while it has room.
     *
     * @param hasRoom asked under the group's lock; when the answer has changed, {@link #wake} must be called
     * @param onEnd called once, after the last message
     */
    synchronized Subscription add(Consumer<OutboxMessage> handler, BooleanSupplier hasRoom, Runnable onEnd) {
        Member member = new Member(handler, hasRoom, onEnd);
        members.add(member);
        member.thread.start();
        return () -> remove(member);
    }

    private synchronized void remove(Member member) {
        members.remove(member);
        notifyAll();
    }

    private synchronized boolean has(Member member) {
        return members.contains(member);
    }

    /** Lets members ask again whether they have room. */
    synchronized void wake() {
        notifyAll();
    }

    /** Puts back what a member took and did not handle: it comes before everything else. */
    synchronized void giveBack(List<OutboxMessage> messages) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            buffer.addFirst(messages.get(i));
        }
        notifyAll();
    }

    /** The next message for this member; null when it should end. */
    private @Nullable OutboxMessage take(Member member) throws InterruptedException {
        @Nullable OutboxMessage message;
        boolean isFullNoMore;
        synchronized (this) {
            while (has(member) && (buffer.isEmpty() ? !isClosed : !member.hasRoom.getAsBoolean())) {
                wait();
            }
            message = has(member) ? buffer.poll() : null;
            isFullNoMore = message != null && buffer.size() == capacity - 1;
        }
        if (isFullNoMore) {
            onRoom.run();
        }
        return message;
    }

    /** Ends all members and forgets what is in the buffer. */
    synchronized void disband() {
        members.clear();
        buffer.clear();
        notifyAll();
    }

    /** Returns when the buffer is worked off, or at the deadline. */
    void close(long deadline) {
        List<Member> all;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(members);
            notifyAll();
            if (all.isEmpty() && !buffer.isEmpty()) {
                LOG.warn("Group {} has no members; the {} messages in its buffer are lost", name, buffer.size());
            }
        }
        all.forEach(member -> member.awaitEnd(deadline));
    }

    private final class Member implements Runnable {

        private final Consumer<OutboxMessage> handler;
        private final BooleanSupplier hasRoom;
        private final Runnable onEnd;
        private final Thread thread;

        Member(Consumer<OutboxMessage> handler, BooleanSupplier hasRoom, Runnable onEnd) {
            this.handler = handler;
            this.hasRoom = hasRoom;
            this.onEnd = onEnd;
            this.thread = new Thread(this, "postrider-memory-" + name);
            this.thread.setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (OutboxMessage message = take(this); message != null; message = take(this)) {
                    handle(message);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } finally {
                remove(this);
                onEnd.run();
            }
        }

        private void handle(OutboxMessage message) throws InterruptedException {
            while (true) {
                try {
                    handler.accept(message);
                    return;
                } catch (RuntimeException | Error failure) {
                    // Also an Error: the message was taken, and would be lost with this thread.
                    throttle.warn(
                            "handler",
                            failure,
                            "A handler of group {} failed on message {}; trying again",
                            name,
                            message.id());
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                }
                if (!has(this)) {
                    giveBack(List.of(message));
                    return;
                }
            }
        }

        private void awaitEnd(long deadline) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            try {
                thread.join(Math.max(1, millis));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            if (thread.isAlive()) {
                LOG.warn("A handler of group {} has not ended in time; what it was given is lost", name);
                thread.interrupt();
            }
        }
    }
}
