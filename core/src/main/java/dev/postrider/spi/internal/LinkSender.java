package dev.postrider.spi.internal;

import dev.postrider.internal.DaemonThreads;
import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendWindow;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.Link.NoLinkException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sends messages over one link at a time and sees to it that each ends once and in time.
 *
 * <p>One thread publishes, so that whoever sends never waits for a socket, a handshake or an answer. Another one ends what takes too long:
 * what was not published yet ends alone, what was published only together with its link, else it might still arrive. When there is no link,
 * everything that waits ends as an outage, and the relay decides when to try again. Thread-safe.
 *
 * @param <W> what goes over the wire
 */
public final class LinkSender<W, L extends Link<W>> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LinkSender.class);
    private static final Duration SWEEP = Duration.ofMillis(50);
    private static final Duration LONGEST_MARGIN = Duration.ofMillis(500);

    /**
     * What a destination was told.
     *
     * @param broker its kind, for people
     */
    public record Options(String name, String broker, int maxInFlight, Duration deliveryTimeout) {

        /** When a send is given up, a little before it must have ended: ending it takes time as well. */
        Duration answerTimeout() {
            Duration tenth = deliveryTimeout.dividedBy(10);
            return deliveryTimeout.minus(tenth.compareTo(LONGEST_MARGIN) < 0 ? tenth : LONGEST_MARGIN);
        }
    }

    private final LogThrottle throttle = new LogThrottle(LOG);
    private final Options options;
    private final Duration answerTimeout;
    private final Link.Opener<L> opener;
    private final DeliveryResult whenClosed;
    private final SendWindow window;
    private final Set<PendingSend<W>> pending = ConcurrentHashMap.newKeySet();
    private final AtomicLong positions = new AtomicLong();
    private final BlockingDeque<PendingSend<W>> line = new LinkedBlockingDeque<>();
    private final Thread publisher;
    private final Timer sweeper;
    private volatile @Nullable L current;
    private volatile boolean isClosed;
    private volatile boolean isEnded;

    public LinkSender(Options options, Link.Opener<L> opener) {
        this.options = options;
        this.answerTimeout = options.answerTimeout();
        this.opener = opener;
        this.whenClosed = DeliveryResult.outage(options.name() + " is closed");
        this.window = new SendWindow(options.maxInFlight());
        this.publisher = new DaemonThreads("postrider-" + options.name() + "-publish").newThread(this::publishAll);
        this.sweeper = new Timer("postrider-" + options.name() + "-timeout");
        publisher.start();
        sweeper.every(SWEEP, this::endOverdue);
    }

    /**
     * Sends what is written here.
     *
     * @param placeOfTopic where messages of this topic go unless they are led elsewhere
     */
    public CompletionStage<DeliveryResult> send(Supplier<W> wire, String placeOfTopic) {
        return send(wire, placeOfTopic, null, TraceSpan.NONE);
    }

    /**
     * The same for a message of a run with others on their way: it goes out behind them, and not at all once one of them has failed.
     *
     * @param run null for a message without order
     * @param span of the attempt, current while it is published
     */
    public CompletionStage<DeliveryResult> send(
            Supplier<W> wire, String placeOfTopic, @Nullable KeyRun run, TraceSpan span) {
        try {
            RunPosition position = run == null ? RunPosition.NONE : new RunPosition(run, positions.getAndIncrement());
            return send(wire.get(), position, span).thenApply(result -> concerningTopic(result, placeOfTopic));
        } catch (InvalidMessageException invalid) {
            return ended(DeliveryResult.reject(String.valueOf(invalid.getMessage()), invalid));
        }
    }

    private static DeliveryResult concerningTopic(DeliveryResult result, String placeOfTopic) {
        return result instanceof Unavailable place && place.place().equals(placeOfTopic)
                ? place.concerningTopic(true)
                : result;
    }

    public CompletionStage<DeliveryResult> send(W wire) {
        return send(wire, RunPosition.NONE, TraceSpan.NONE);
    }

    private CompletionStage<DeliveryResult> send(W wire, RunPosition position, TraceSpan span) {
        if (isClosed) {
            return ended(whenClosed);
        }
        PendingSend<W> send =
                new PendingSend<>(wire, position, span, System.nanoTime() + answerTimeout.toNanos(), this::ended);
        return window.enter(() -> begin(send), () -> beginLater(send))
                ? send.result()
                : ended(DeliveryResult.outage("Too many messages wait for %s, which has %d on their way, its limit"
                        .formatted(options.name(), options.maxInFlight())));
    }

    private static CompletionStage<DeliveryResult> ended(DeliveryResult result) {
        return CompletableFuture.completedFuture(result);
    }

    private void ended(PendingSend<W> send) {
        pending.remove(send);
        window.leave();
    }

    /** One that has waited for room half of its time ends: its answer could come too late, and would cost the link. */
    private void beginLater(PendingSend<W> send) {
        if (send.isOverdue(System.nanoTime() + answerTimeout.toNanos() / 2)) {
            send.endIfWaiting(DeliveryResult.outage("Messages that were sent before it took too long to be delivered"));
        } else {
            begin(send);
        }
    }

    private void begin(PendingSend<W> send) {
        pending.add(send);
        line.addLast(send);
        endIfClosed(send);
    }

    /** Publishes it once more, before all others. */
    public void again(PendingSend<W> send) {
        line.addFirst(send);
        endIfClosed(send);
    }

    private void endIfClosed(PendingSend<W> send) {
        if (isEnded) {
            send.endIfWaiting(whenClosed);
        }
    }

    private void publishAll() {
        while (!isEnded) {
            try {
                publish(line.takeFirst());
            } catch (InterruptedException interrupted) {
                // By close, or by whoever learned of a result on this thread: that must not end it.
                LOG.debug("The publisher of {} was interrupted", options.name());
            }
        }
    }

    private void publish(PendingSend<W> send) {
        if (send.hasEnded()) {
            return;
        }
        try {
            L link = link();
            // After that: what was on a lost link has ended now, and with it the runs of those messages.
            if (!send.endIfBehindFailed()) {
                publish(send, link);
            }
        } catch (NoLinkException unreachable) {
            endAllWaiting(DeliveryResult.outage(String.valueOf(unreachable.getMessage()), unreachable));
        } catch (RuntimeException | Error unexpected) {
            // Contained: without this thread nothing would ever be published again.
            report(unexpected);
            send.end(DeliveryResult.retry("Publishing failed: " + unexpected, unexpected));
        }
    }

    private void publish(PendingSend<W> send, L link) {
        try {
            Optional<DeliveryResult> refusal = link.refusal(send.wire());
            if (refusal.isPresent()) {
                send.endIfWaiting(refusal.get());
            } else if (send.claim()) {
                publishTraced(send, link);
                if (!link.isUsable()) {
                    // It may have been cut after it was emptied and before this message was on it.
                    link.cutAsLost();
                }
            }
        } catch (IOException lost) {
            DeliveryResult outage = link.failed(lost);
            send.end(outage);
            endAllWaiting(outage);
        } catch (RuntimeException | Error unexpected) {
            // Also an Error: it is in no line any more, nothing else would end it.
            report(unexpected);
            send.end(link.failed(unexpected));
        }
    }

    /** The first of a kind with its trace. */
    private void report(Throwable unexpected) {
        throttle.failed(
                Level.ERROR,
                unexpected.getClass(),
                (level, note) -> LOG.atLevel(level)
                        .setCause(note.isEmpty() ? unexpected : null)
                        .log("Publishing to {} failed in an unexpected way: {}{}", options.name(), unexpected, note));
    }

    private void publishTraced(PendingSend<W> send, L link) throws IOException {
        TraceContext.Scope scope = send.span().makeCurrent();
        try {
            link.publish(send);
        } finally {
            scope.close();
        }
    }

    private void endAllWaiting(DeliveryResult outcome) {
        pending.forEach(send -> send.endIfWaiting(outcome));
    }

    private void endOverdue() {
        long now = System.nanoTime();
        String time = Readable.time(answerTimeout);
        DeliveryResult notReady = DeliveryResult.outage(options.broker() + " was not ready to take it within " + time);
        boolean isUnanswered = false;
        for (PendingSend<W> send : pending) {
            if (send.isOverdue(now)) {
                send.endIfWaiting(notReady);
                isUnanswered |= send.isClaimed();
            }
        }
        L link = current;
        if (isUnanswered && link != null) {
            link.cut(DeliveryResult.outage(options.broker() + " did not acknowledge it within " + time));
        }
    }

    /**
     * The link in use, or a new one.
     *
     * @throws NoLinkException if no link can be had
     */
    public synchronized L link() throws NoLinkException {
        L link = current;
        if (link != null && link.isUsable()) {
            return link;
        }
        if (isEnded) {
            throw new NoLinkException(options.name() + " is closed", null);
        }
        if (link != null) {
            link.cutAsLost();
        }
        L opened = opener.open();
        current = opened;
        return opened;
    }

    /** Takes no more messages, waits for what is on its way, at most the delivery timeout, and closes the link. */
    @Override
    public void close() {
        isClosed = true;
        boolean isInterrupted = !awaitEndOfAll();
        synchronized (this) {
            isEnded = true;
            L link = current;
            if (link != null) {
                link.close();
            }
        }
        publisher.interrupt();
        endAllWaiting(whenClosed);
        sweeper.close();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitEndOfAll() {
        try {
            window.awaitEmpty(options.deliveryTimeout());
            return true;
        } catch (InterruptedException hurry) {
            return false;
        }
    }
}
