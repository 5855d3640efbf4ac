package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.internal.Range;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts a handler that takes too long; the event arrives again. For subscribers. Thread-safe.
 *
 * <p>The event is returned to the broker only when the handler has really ended: until then its key waits, so that it is never handled
 * twice at once. A handler that ignores the interrupt is waited for.
 */
public final class TimeoutInterceptor implements HandleInterceptor, AutoCloseable {

    private final Duration limit;
    private final ScheduledThreadPoolExecutor timer;

    /** @param limit how long a handler may take, 1 ms to a day */
    public TimeoutInterceptor(Duration limit) {
        this.limit = Range.of("limit", limit, Duration.ofMillis(1), Duration.ofDays(1));
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "postrider-handler-timeout");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public void intercept(Object event, EventContext context, Next next) throws Exception {
        Alarm alarm = new Alarm(Thread.currentThread());
        Future<?> ringing = timer.schedule(alarm::ring, limit.toNanos(), TimeUnit.NANOSECONDS);
        try {
            next.proceed();
        } catch (Exception failure) {
            throw alarm.turnOff() ? new HandlerTimeoutException(context.message(), limit, failure) : failure;
        } finally {
            ringing.cancel(false);
            alarm.turnOff();
        }
    }

    /** Ends the timer's thread. */
    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** Interrupts one handler, never the next one on the same thread. */
    private static final class Alarm {

        private final Thread handler;
        private boolean isOff;
        private boolean hasRung;

        Alarm(Thread handler) {
            this.handler = handler;
        }

        synchronized void ring() {
            if (!isOff) {
                hasRung = true;
                handler.interrupt();
            }
        }

        /** Says whether it has rung before. */
        synchronized boolean turnOff() {
            if (hasRung && !isOff) {
                Thread.interrupted();
            }
            isOff = true;
            return hasRung;
        }
    }
}
