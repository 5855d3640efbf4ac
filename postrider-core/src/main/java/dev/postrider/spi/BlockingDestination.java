package dev.postrider.spi;

import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A destination made of plain blocking code, run on a bounded pool of threads.
 *
 * <p>Returning normally means that the message is delivered durably; whatever is thrown means that it should be tried again.
 * A call that takes longer than the time-out is interrupted, and ends only when the code has really returned: until then its
 * key waits, since the message might still arrive. Thread-safe.
 */
public final class BlockingDestination implements Destination {

    /** What to do with one message. */
    @FunctionalInterface
    public interface Sender {
        void send(OutboxMessage message) throws Exception;
    }

    private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(1);

    private final String name;
    private final Sender sender;
    private final int threads;
    private final Duration timeout;
    private final ThreadPoolExecutor pool;
    private final ScheduledExecutorService watchdog;

    private BlockingDestination(String name, Sender sender, int threads, Duration timeout) {
        this.name = Objects.requireNonNull(name, "name");
        this.sender = Objects.requireNonNull(sender, "sender");
        this.threads = threads;
        this.timeout = timeout;
        this.pool = new ThreadPoolExecutor(0, threads, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), daemon("send"));
        this.watchdog = Executors.newSingleThreadScheduledExecutor(daemon("timeout"));
    }

    /**
     * A destination over this code.
     *
     * @param threads how many calls may run at once, 1 to 10,000
     * @param timeout how long a call may take
     */
    public static BlockingDestination of(String name, Sender sender, int threads, Duration timeout) {
        if (threads < 1 || threads > 10_000) {
            throw new IllegalArgumentException("threads is " + threads + ", expected 1 to 10000");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout is " + timeout + ", expected more than zero");
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
        CompletableFuture<DeliveryResult> result = new CompletableFuture<>();
        try {
            pool.execute(() -> result.complete(run(message)));
        } catch (RejectedExecutionException full) {
            result.complete(
                    DeliveryResult.outage("All " + threads + " threads of " + name + " are busy, or it is closed"));
        }
        return result;
    }

    private DeliveryResult run(OutboxMessage message) {
        Thread caller = Thread.currentThread();
        Future<?> alarm = watchdog.schedule(caller::interrupt, timeout.toNanos(), TimeUnit.NANOSECONDS);
        try {
            sender.send(message);
            return DeliveryResult.DELIVERED;
        } catch (InterruptedException timedOut) {
            return DeliveryResult.retry("Took longer than " + timeout, timedOut);
        } catch (Exception | LinkageError | AssertionError failure) {
            return DeliveryResult.retry(failure.getClass().getSimpleName() + ": " + failure.getMessage(), failure);
        } finally {
            alarm.cancel(false);
            // The interrupt was meant for this call only; the thread goes back to the pool.
            Thread.interrupted();
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
}
