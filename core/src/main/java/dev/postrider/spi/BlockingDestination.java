package dev.postrider.spi;

import dev.postrider.internal.Readable;
import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A destination made of plain blocking code, run on a bounded pool of threads.
 *
 * <p>Returning normally means that the message is delivered durably. Throwing means that it should be tried again. An exception that
 * says that nobody answers, itself or by a cause, is an outage of the destination, which counts no attempt: connection refused,
 * no route, unknown host, time-out, failed TLS handshake. Code that knows better throws a {@link DeliveryFailedException}.
 *
 * A call that takes longer than the time-out is interrupted, and ends only when the code has really returned: until then its
 * key waits, since the message might still arrive. Messages beyond the number of threads wait for a free one, for up to half of
 * the time-out. Thread-safe.
 */
public final class BlockingDestination implements Destination {

    /** What to do with one message. */
    @FunctionalInterface
    public interface Sender {
        void send(OutboxMessage message) throws Exception;

        /** The same, with what the relay knows about the message; override it to use that. */
        default void send(OutboxMessage message, SendContext context) throws Exception {
            send(message);
        }
    }

    /** One message on its way. */
    private interface Call {
        void run() throws Exception;
    }

    private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(1);
    private static final Duration MAX_TIMEOUT = Duration.ofHours(1);

    private final String name;
    private final Sender sender;
    private final int threads;
    private final Duration timeout;
    private final SendWindow window;
    private final ExecutorService pool;
    private final ScheduledThreadPoolExecutor watchdog;

    private BlockingDestination(String name, Sender sender, int threads, Duration timeout) {
        this.name = Objects.requireNonNull(name, "name");
        this.sender = Objects.requireNonNull(sender, "sender");
        this.threads = threads;
        this.timeout = timeout;
        this.window = new SendWindow(threads);
        // The window bounds the calls. The pool must not: a thread that has reported its result is not idle at once.
        this.pool = Executors.newCachedThreadPool(daemon("send"));
        this.watchdog = new ScheduledThreadPoolExecutor(1, daemon("timeout"));
        watchdog.setRemoveOnCancelPolicy(true);
    }

    /**
     * A destination over this code.
     *
     * @param threads how many calls may run at once, 1 to 10,000
     * @param timeout how long a call may take, at most an hour
     */
    public static BlockingDestination of(String name, Sender sender, int threads, Duration timeout) {
        if (threads < 1 || threads > 10_000) {
            throw new IllegalArgumentException("threads is " + threads + ", expected 1 to 10000");
        }
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is " + Readable.time(timeout)
                    + ", expected more than zero and at most " + Readable.time(MAX_TIMEOUT));
        }
        return new BlockingDestination(name, sender, threads, timeout);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int maxInFlight() {
        return threads;
    }

    @Override
    public Duration deliveryTimeout() {
        return timeout.plus(INTERRUPT_GRACE);
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        return send(() -> sender.send(message));
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
        return send(() -> {
            TraceContext.Scope scope = context.span().makeCurrent();
            try {
                sender.send(message, context);
            } finally {
                scope.close();
            }
        });
    }

    private CompletionStage<DeliveryResult> send(Call call) {
        CompletableFuture<DeliveryResult> result = new CompletableFuture<>();
        long deadline = System.nanoTime() + timeout.toNanos();
        return window.enter(() -> begin(call, deadline, result))
                ? result
                : CompletableFuture.completedFuture(busy("too many messages wait for them"));
    }

    private void begin(Call call, long deadline, CompletableFuture<DeliveryResult> result) {
        try {
            pool.execute(() -> end(result, run(call, deadline)));
        } catch (RejectedExecutionException closed) {
            end(result, DeliveryResult.outage(name + " is closed"));
        }
    }

    private void end(CompletableFuture<DeliveryResult> result, DeliveryResult ended) {
        // First: whoever learns the result may send again at once.
        window.leave();
        result.complete(ended);
    }

    private DeliveryResult busy(String problem) {
        return DeliveryResult.outage("All " + threads + " threads of " + name + " are busy: " + problem);
    }

    private DeliveryResult run(Call call, long deadline) {
        long left = deadline - System.nanoTime();
        if (left < timeout.toNanos() / 2) {
            // It would be the message's own failure, though others used up its time.
            return busy("the message has waited for half of " + Readable.time(timeout));
        }
        try {
            sendWithAlarm(call, left);
            return DeliveryResult.DELIVERED;
        } catch (InterruptedException timedOut) {
            return DeliveryResult.retry("Took longer than " + Readable.time(timeout), timedOut);
        } catch (Throwable failure) {
            // Also an Error: without a result the key of this message would wait for ever.
            return BlockingFailures.of(failure);
        }
    }

    private void sendWithAlarm(Call call, long nanos) throws Exception {
        Alarm alarm = new Alarm(Thread.currentThread());
        Future<?> ringing = watchdog.schedule(alarm::ring, nanos, TimeUnit.NANOSECONDS);
        try {
            call.run();
        } finally {
            ringing.cancel(false);
            alarm.turnOff();
        }
    }

    /** Waits for running calls up to the time-out, then interrupts them. */
    @Override
    public void close() {
        pool.shutdown();
        try {
            if (!pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
        } finally {
            watchdog.shutdownNow();
        }
    }

    private ThreadFactory daemon(String duty) {
        return task -> {
            Thread thread = new Thread(task, "postrider-" + name + "-" + duty);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Interrupts one call, never the next one on the same thread. */
    private static final class Alarm {

        private final Thread caller;
        private boolean isOff;

        Alarm(Thread caller) {
            this.caller = caller;
        }

        synchronized void ring() {
            if (!isOff) {
                caller.interrupt();
            }
        }

        synchronized void turnOff() {
            isOff = true;
            Thread.interrupted();
        }
    }
}
