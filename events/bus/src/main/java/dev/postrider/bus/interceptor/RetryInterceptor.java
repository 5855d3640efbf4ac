package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishFailedException;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.internal.Range;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.CodecException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Retries on the spot, before the failure is reported to the caller or the broker. For both sides. Thread-safe.
 *
 * <p>Good for short hiccups: the key keeps its order meanwhile, and the thread waits. What trying again cannot help (unprocessable events,
 * refused messages, data without codec) is thrown on at once. An event that is published again keeps its id. Not to be used inside of a
 * transaction that a failure has ended.
 */
public final class RetryInterceptor implements PublishInterceptor, HandleInterceptor {

    private final int maxAttempts;
    private final Backoff backoff;

    /** @param maxAttempts how often to try in all, 1 to 100 */
    public RetryInterceptor(int maxAttempts, Backoff backoff) {
        this.maxAttempts = Range.of("maxAttempts", maxAttempts, 1, 100);
        this.backoff = Objects.requireNonNull(backoff, "backoff");
    }

    @Override
    public OutboxMessage intercept(Publication publication, PublishInterceptor.Next next) {
        for (int attempt = 1; ; attempt++) {
            try {
                return next.proceed(publication);
            } catch (RuntimeException failure) {
                if (attempt == maxAttempts || !isWorthRetrying(failure) || !pause(attempt)) {
                    throw failure;
                }
            }
        }
    }

    @Override
    public void intercept(Object event, EventContext context, HandleInterceptor.Next next) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                next.proceed();
                return;
            } catch (InterruptedException interrupted) {
                throw interrupted;
            } catch (Exception failure) {
                if (attempt == maxAttempts || context.isClosing() || !isWorthRetrying(failure) || !pause(attempt)) {
                    throw failure;
                }
            }
        }
    }

    private static boolean isWorthRetrying(Exception failure) {
        if (failure instanceof PublishFailedException refused) {
            return refused.isWorthRetrying();
        }
        boolean isHopeless = failure instanceof CodecException
                || failure instanceof InvalidMessageException
                || failure instanceof IllegalArgumentException
                || UnprocessableEventException.isCauseOf(failure);
        return !isHopeless;
    }

    /** Says whether the pause was not cut short. */
    private boolean pause(int failures) {
        try {
            TimeUnit.NANOSECONDS.sleep(backoff.delay(failures).toNanos());
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
