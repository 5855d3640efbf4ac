package dev.postrider.relay;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import dev.postrider.spi.TraceContext;
import java.util.Collection;
import java.util.Objects;
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
    private final Lines lines;
    private final OutcomeHandler outcomeHandler;
    private final OutcomeReporter reporter;
    private final SendSpans spans;
    private final WorkerThread worker;
    private final Queue<Outcome> mailbox = new ConcurrentLinkedQueue<>();

    /** The worker has been woken and has not looked into the mailbox since: once for all that end together. */
    private final AtomicBoolean isMailAnnounced = new AtomicBoolean();

    Dispatcher(
            RelayContext context,
            Collection<WorkerGate> gates,
            Lines lines,
            OutcomeHandler outcomeHandler,
            WorkerThread worker) {
        this.context = context;
        this.gates = gates;
        this.lines = lines;
        this.outcomeHandler = outcomeHandler;
        this.reporter = new OutcomeReporter(context);
        this.spans = new SendSpans(context);
        this.worker = worker;
    }

    /** Takes the outcomes that have arrived. */
    void collect() {
        // Before the look: what comes during it is announced again.
        isMailAnnounced.set(false);
        for (Outcome outcome = mailbox.poll(); outcome != null; outcome = mailbox.poll()) {
            outcomeHandler.ended(outcome);
        }
    }

    /** Those of what it has sent. */
    SendSpans spans() {
        return spans;
    }

    boolean hasMail() {
        return !mailbox.isEmpty();
    }

    /** Sends everything that is ready and has room. */
    void dispatch() {
        for (WorkerGate gate : gates) {
            for (Line next = gate.nextToSend(context.now()); next != null; next = gate.nextToSend(context.now())) {
                sendNextOf(next);
            }
        }
    }

    private void sendNextOf(Line line) {
        TrackedMessage row = Objects.requireNonNull(line.next());
        Places places = line.gate.shared.places();
        if (places.mayTry(row)) {
            send(row, line.run());
            line.gate.addReady(line);
            return;
        }
        line.gate.notSent(row);
        if (line.isAtRest()) {
            outcomeHandler.waitForPlace(row, places.waitFor(row));
        }
        // Else it is tried again when one of those in flight has ended.
    }

    private void send(TrackedMessage row, KeyRun run) {
        lines.begin(row);
        CompletableFuture<DeliveryResult> sending = begin(row, run);
        if (sending.isDone()) {
            outcomeHandler.ended(report(row, run, sending));
        } else {
            var unused = sending.whenComplete((result, failure) -> {
                mailbox.add(report(row, run, sending));
                announceMail();
            });
        }
    }

    private Outcome report(TrackedMessage row, KeyRun run, CompletableFuture<DeliveryResult> ended) {
        Outcome outcome = reporter.report(row, ended);
        spans.end(row, outcome.result());
        if (outcome.stopsItsLine()) {
            // Destinations that promise an order have done so already; nothing more is begun until the worker knows.
            run.breakOff();
        }
        return outcome;
    }

    private void announceMail() {
        if (!isMailAnnounced.getAndSet(true)) {
            worker.unpark();
        }
    }

    private CompletableFuture<DeliveryResult> begin(TrackedMessage row, KeyRun run) {
        SendContext sending = spans.begin(row, row.context(run));
        TraceContext.Scope scope = sending.span().makeCurrent();
        try {
            return row.gate.shared.destination().send(row.message, sending).toCompletableFuture();
        } catch (Throwable failure) {
            // Whatever it is, the send has ended; a row left in flight would keep its key waiting for ever.
            return CompletableFuture.failedFuture(failure);
        } finally {
            scope.close();
        }
    }
}
