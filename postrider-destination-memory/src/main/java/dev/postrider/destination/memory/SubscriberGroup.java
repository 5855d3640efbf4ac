package dev.postrider.destination.memory;

import dev.postrider.destination.memory.MemoryDestination.Subscription;
import dev.postrider.message.OutboxMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A bounded buffer of messages and the threads that take from it. */
final class SubscriberGroup {

    private static final Logger LOG = LoggerFactory.getLogger(SubscriberGroup.class);
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;

    private final String name;
    private final int capacity;
    private final ArrayDeque<OutboxMessage> buffer = new ArrayDeque<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final List<Member> members = new ArrayList<>();
    private boolean isClosed;

    SubscriberGroup(String name, int capacity) {
        this.name = name;
        this.capacity = capacity;
    }

    synchronized boolean hasMembers() {
        return !members.isEmpty();
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

    /** When the last member leaves, nobody will make room for what waits: it is refused. */
    private void remove(Member member) {
        List<Waiting> refused;
        synchronized (this) {
            members.remove(member);
            refused = members.isEmpty() ? takeWaiting() : List.of();
            notifyAll();
        }
        refuse(refused);
    }

    private List<Waiting> takeWaiting() {
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    private static void refuse(List<Waiting> refused) {
        refused.forEach(each -> each.taken.complete(false));
    }

    /** Completes with true once the message is in the buffer, with false if the group closes or empties before. */
    synchronized CompletableFuture<Boolean> offer(OutboxMessage message) {
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        if (isClosed || members.isEmpty()) {
            taken.complete(false);
        } else if (buffer.size() < capacity && waiting.isEmpty()) {
            buffer.add(message);
            notifyAll();
            taken.complete(true);
        } else {
            waiting.add(new Waiting(message, taken));
        }
        return taken;
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
    private OutboxMessage take(Member member) throws InterruptedException {
        OutboxMessage message;
        Waiting moved;
        synchronized (this) {
            while (members.contains(member) && (buffer.isEmpty() ? !isClosed : !member.hasRoom.getAsBoolean())) {
                wait();
            }
            if (!members.contains(member)) {
                return null;
            }
            message = buffer.poll();
            // What was given back may have filled the buffer beyond its capacity.
            moved = message == null || buffer.size() >= capacity ? null : waiting.poll();
            if (moved != null) {
                buffer.add(moved.message);
            }
        }
        if (moved != null) {
            moved.taken.complete(true);
        }
        return message;
    }

    /** Refuses what waits for room and returns when the buffer is worked off, or at the deadline. */
    void close(long deadline) {
        List<Waiting> refused;
        List<Member> all;
        synchronized (this) {
            isClosed = true;
            refused = takeWaiting();
            all = List.copyOf(members);
            notifyAll();
        }
        refuse(refused);
        all.forEach(member -> member.awaitEnd(deadline));
    }

    private record Waiting(OutboxMessage message, CompletableFuture<Boolean> taken) {}

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
                    LOG.warn("A handler of group {} failed on message {}; trying again", name, message.id(), failure);
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
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
