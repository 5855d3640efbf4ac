package dev.postrider.relay;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KeyRun;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends what is ready and collects how it ended.
 *
 * <p>Sends end on any thread; their outcomes wait in a mailbox until the worker takes them. A send begins only while the
 * lease of its lane is certain to outlast it.
 */
final class Dispatcher {

    private final RelayContext context;
    private final Collection<WorkerGate> gates;
    private final OutcomeHandler outcomeHandler;
    private final OutcomeReporter reporter;
    private final Runnable wakeWorker;
    private final Queue<Outcome> mailbox = new ConcurrentLinkedQueue<>();

    /** The worker has been woken and has not looked into the mailbox since: once for all that end together. */
    private final AtomicBoolean isMailAnnounced = new AtomicBoolean();

    Dispatcher(RelayContext context, Collection<WorkerGate> gates, OutcomeHandler outcomeHandler, Runnable wakeWorker) {
        this.context = context;
        this.gates = gates;
        this.outcomeHandler = outcomeHandler;
        this.reporter = new OutcomeReporter(context);
        this.wakeWorker = wakeWorker;
    }

    /** Takes the outcomes that have arrived. */
    void collect() {
        // Before the look: what comes during it is announced again.
        isMailAnnounced.set(false);
        for (Outcome outcome = mailbox.poll(); outcome != null; outcome = mailbox.poll()) {
            outcomeHandler.ended(outcome);
        }
    }

    boolean hasMail() {
        return !mailbox.isEmpty();
    }

    /** Sends everything that is ready and has room. */
    void dispatch() {
        for (WorkerGate gate : gates) {
            for (TrackedMessage next = gate.nextToSend(); next != null; next = gate.nextToSend()) {
                if (!next.lane.maySend(context.now())) {
                    gate.notSent(next);
                    next.lane.parked.add(next);
                } else if (!gate.shared.places().mayTry(next)) {
                    gate.notSent(next);
                    outcomeHandler.waitForPlace(next, gate.shared.places().waitFor(next));
                } else {
                    send(next);
                }
            }
        }
    }

    /** Makes entries ready again that waited for their lease to be renewed. */
    void unpark(OwnedLane lane) {
        lane.parked.forEach(entry -> entry.gate.addReady(entry));
        lane.parked.clear();
    }

    private void send(TrackedMessage entry) {
        entry.state = TrackedMessage.State.IN_FLIGHT;
        entry.sentAt = context.now();
        entry.lane.inFlight++;
        CompletableFuture<DeliveryResult> sending = begin(entry);
        if (sending.isDone()) {
            outcomeHandler.ended(reporter.report(entry, sending));
        } else {
            var unused = sending.whenComplete((result, failure) -> {
                mailbox.add(reporter.report(entry, sending));
                announceMail();
            });
        }
    }

    private void announceMail() {
        if (!isMailAnnounced.getAndSet(true)) {
            wakeWorker.run();
        }
    }

    private static CompletableFuture<DeliveryResult> begin(TrackedMessage entry) {
        try {
            return entry.gate
                    .shared
                    .destination()
                    .send(entry.message, new KeyRun(entry.lane.tenure))
                    .toCompletableFuture();
        } catch (Throwable failure) {
            // Whatever it is, the send has ended; an entry left in flight would keep its key waiting for ever.
            return CompletableFuture.failedFuture(failure);
        }
    }
}
