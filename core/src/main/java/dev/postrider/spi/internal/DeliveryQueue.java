package dev.postrider.spi.internal;

import dev.postrider.internal.LogThrottle;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.ReceiverListener;
import dev.postrider.spi.internal.Received.State;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/**
 * Keeps the messages of a receiver from their arrival to their end: hands each to the subscriber, of each key one at a time and in order,
 * no more than the prefetch at once, and sees to it that each attempt is settled once.
 *
 * <p>Calls the subscriber from whichever thread brings or settles a message, one call at a time: a thread that finds another at it leaves its
 * work to that one. One lock guards everything; nobody is called under it. Thread-safe.
 *
 * @param <T> the message as the client of the broker knows it
 */
public final class DeliveryQueue<T> implements AutoCloseable {

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final LogThrottle log = new LogThrottle(LoggerFactory.getLogger(DeliveryQueue.class));
    private final String receiver;
    private final int prefetch;
    private final Settlement<T> settlement;
    private final ReceiverReports reports;
    private final Timer timer;
    private final KeyLines<Received<T>> lines = new KeyLines<>();
    private final Set<Received<T>> unsettled = new LinkedHashSet<>();
    private final ArrayDeque<Received<T>> ready = new ArrayDeque<>();
    private final Set<Received<T>> busy = new HashSet<>();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Consumer<Delivery> deliveries = delivery -> {};
    private int handedOver;
    private boolean isHandingOver;
    private boolean isStopped;
    private boolean isHurried;

    /**
     * For one receiver.
     *
     * @param prefetch how many messages may be with handlers at once
     * @param timer ends pauses; closed with this
     */
    public DeliveryQueue(
            String receiver, int prefetch, Settlement<T> settlement, ReceiverListener listener, Timer timer) {
        this.receiver = receiver;
        this.prefetch = prefetch;
        this.settlement = settlement;
        this.reports = new ReceiverReports(receiver, listener);
        this.timer = timer;
    }

    /** To be called before the first message is added. */
    public void start(Consumer<Delivery> subscriber) {
        deliveries = subscriber;
    }

    /**
     * Takes in a message, behind the others of its key.
     *
     * @param attempts how often it was handed over before
     * @return false if it was not taken, because the receiver has stopped or the message is lost
     */
    public boolean add(T source, ReceivedEvent event, int attempts) {
        return add(new Received<>(source, event, event.message().key(), attempts), Duration.ZERO);
    }

    /** The same for a message that must not be tried before its pause is over; that runs also while others of its key are before it. */
    public boolean add(T source, ReceivedEvent event, Optional<?> key, int attempts, Duration pause) {
        return add(new Received<>(source, event, key, attempts), pause);
    }

    private boolean add(Received<T> received, Duration pause) {
        synchronized (this) {
            if (isStopped || settlement.isLost(received.source())) {
                return false;
            }
            unsettled.add(received);
            lines.join(received.key, received);
            received.isPaused = !pause.isZero();
            makeReady(received);
        }
        if (!pause.isZero()) {
            resumeAfter(pause, received);
        }
        run();
        return true;
    }

    private void makeReady(Received<T> received) {
        if (received.state == State.WAITING && !received.isPaused && lines.isFirst(received.key, received)) {
            ready.add(received);
        }
    }

    /** The timer keeps nothing of a message that is lost before its pause is over. */
    private void resumeAfter(Duration pause, Received<T> received) {
        WeakReference<Received<T>> paused = new WeakReference<>(received);
        timer.after(pause, () -> Optional.ofNullable(paused.get()).ifPresent(this::resume));
    }

    private void resume(Received<T> received) {
        synchronized (this) {
            received.isPaused = false;
            if (received.state == State.WAITING) {
                makeReady(received);
            }
        }
        run();
    }

    /** Parks what arrived and cannot be handed over: it is no message, or has come too often. */
    public void park(T source, int attempts, String reason) {
        Received<T> received = new Received<>(source, null, Optional.empty(), attempts);
        synchronized (this) {
            received.state = State.SETTLED;
            unsettled.add(received);
            busy.add(received);
        }
        park(received, reason);
    }

    void park(Received<T> received, String reason) {
        log.warn(
                "parked",
                "{} is parked by {} after {} attempts: {}",
                received.toString(),
                receiver,
                received.attempts(),
                reason);
        reports.parked();
        try {
            settlement.park(received, reason, () -> done(received));
        } catch (RuntimeException | Error failure) {
            if (!received.isReadable()) {
                throw failure;
            }
            keep(received, failure);
        }
        run();
    }

    /** What cannot be settled is tried again here: else it would hold its place and its key for ever. */
    private void keep(Received<T> received, Throwable failure) {
        log.warn("settle", failure, "{} cannot be settled by {}; trying again later", received.toString(), receiver);
        pause(received, AFTER_FAILURE);
    }

    /** Hands over whatever is ready. */
    private void run() {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (Optional<Received<T>> next = begin(); next.isPresent(); next = begin()) {
                handOver(new Attempt<>(this, next.get(), reports));
            }
            seen = requests.addAndGet(-seen);
        } while (seen != 0);
    }

    private synchronized Optional<Received<T>> begin() {
        if (isStopped || handedOver >= prefetch || ready.isEmpty()) {
            return Optional.empty();
        }
        Received<T> next = ready.remove();
        next.state = State.HANDED_OVER;
        next.attempts++;
        busy.add(next);
        handedOver++;
        isHandingOver = true;
        return Optional.of(next);
    }

    private void handOver(Attempt<T> attempt) {
        try {
            deliveries.accept(attempt);
        } catch (RuntimeException | Error failure) {
            log.warn(
                    "handOver",
                    failure,
                    "{} could not be handed over; trying again later",
                    attempt.message().toString());
            attempt.retryLater("Could not be handed over: " + failure);
        } finally {
            synchronized (this) {
                isHandingOver = false;
                notifyAll();
            }
        }
    }

    /** Its handler has ended; says whether the message still is this receiver's. */
    synchronized boolean settle(Received<T> received, boolean isHandled) {
        handedOver--;
        notifyAll();
        if (received.state != State.HANDED_OVER) {
            return false;
        }
        received.state = State.SETTLED;
        received.isHandled = isHandled;
        return true;
    }

    void retry(Received<T> received, String reason) {
        if (received.attempts() >= settlement.maxAttempts()) {
            park(received, reason);
            return;
        }
        try {
            Optional<String> obstacle = settlement.obstacle(received);
            if (obstacle.isPresent()) {
                park(received, obstacle.get() + "; it failed: " + reason);
                return;
            }
            reports.retried();
            settlement.retry(received, reason, () -> done(received)).ifPresent(pause -> pause(received, pause));
        } catch (RuntimeException | Error failure) {
            keep(received, failure);
        }
        run();
    }

    private void pause(Received<T> received, Duration pause) {
        synchronized (this) {
            if (received.state == State.DONE || settlement.isLost(received.source())) {
                end(received);
                return;
            }
            busy.remove(received);
            received.state = State.WAITING;
            received.isPaused = true;
            notifyAll();
        }
        resumeAfter(pause, received);
    }

    /** The broker has been told, or another place has the message: the next of its key may follow. */
    private void done(Received<T> received) {
        synchronized (this) {
            end(received);
        }
        settlement.roomMade();
        run();
    }

    void acknowledge(Received<T> received) {
        try {
            settlement.acknowledge(received);
        } finally {
            done(received);
        }
    }

    private void end(Received<T> received) {
        received.state = State.DONE;
        busy.remove(received);
        if (unsettled.remove(received)) {
            lines.leave(received.key, received).ifPresent(this::makeReady);
            notifyAll();
        }
    }

    /** Forgets what is lost and not with a handler. What is keeps its place and its key until its handler has ended. */
    public void forgetLost() {
        synchronized (this) {
            for (Received<T> received : List.copyOf(unsettled)) {
                if (received.state == State.WAITING && settlement.isLost(received.source())) {
                    end(received);
                }
            }
            ready.removeIf(received -> received.state == State.DONE);
        }
        run();
    }

    /** Whether fewer messages than the prefetch are unsettled, those that wait included. */
    public boolean hasRoom() {
        return room() > 0;
    }

    public synchronized int room() {
        return prefetch - unsettled.size();
    }

    /** Waits for room; says whether there is some. */
    public synchronized boolean awaitRoom(Duration patience) {
        return await(patience, this::hasRoom);
    }

    /** In order of arrival. */
    public synchronized List<T> unsettled() {
        return unsettled.stream().map(Received::source).toList();
    }

    /** Waits until none of these is with a handler or on its way to another place. */
    public synchronized void awaitQuiet(Predicate<T> these, Duration patience) {
        await(patience, () -> isHurried || busy.stream().map(Received::source).noneMatch(these));
    }

    /** Waits for messages that are on their way to another place. */
    public synchronized void awaitSettled(Duration patience) {
        await(
                patience,
                () -> busy.stream()
                        .noneMatch(each -> each.state == State.SETTLED && !settlement.isLost(each.source())));
    }

    private boolean await(Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** From now on nobody waits for handlers. */
    public synchronized void hurry() {
        isHurried = true;
        notifyAll();
    }

    /** Returns when nothing is being handed over any more, and nothing will be. */
    public synchronized void stop() {
        isStopped = true;
        notifyAll();
        await(Duration.ofDays(1), () -> !isHandingOver);
    }

    public synchronized boolean isStopped() {
        return isStopped;
    }

    /**
     * Stops, and returns what is unsettled in order of arrival, but for what is being acknowledged: to settle it has no effect from now on.
     */
    public List<T> takeAll() {
        stop();
        timer.close();
        synchronized (this) {
            List<T> all = unsettled.stream()
                    .filter(received -> !received.isHandled)
                    .map(Received::source)
                    .toList();
            List.copyOf(unsettled).forEach(this::end);
            ready.clear();
            return all;
        }
    }

    @Override
    public void close() {
        takeAll();
    }
}
