package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import java.util.Objects;

/**
 * Lets a service decide what a failure means. For subscribers. Thread-safe.
 *
 * <p>Without it, everything that is thrown but unprocessable events is tried again, errors such as {@link StackOverflowError} included. An
 * interrupted handler is no failure of its event, and is not decided about. The decision either returns, and the event counts as handled, or throws what it should count as:
 *
 * <pre>{@code
 * new RecoveryInterceptor((failure, context) -> {
 *     throw new UnprocessableEventException("Broken for good", failure);
 * })
 * }</pre>
 */
public final class RecoveryInterceptor implements HandleInterceptor {

    private final Decision decision;

    public RecoveryInterceptor(Decision decision) {
        this.decision = Objects.requireNonNull(decision, "decision");
    }

    @Override
    public void intercept(Object event, EventContext context, Next next) throws Exception {
        try {
            next.proceed();
        } catch (Exception | Error failure) {
            if (isInterruption(failure)) {
                throw failure;
            }
            decision.recover(failure, context);
        }
    }

    /** Whether somebody wanted the handler to end, which says nothing of the event; a time-out of the handler itself does. */
    private static boolean isInterruption(Throwable failure) {
        if (Thread.currentThread().isInterrupted()) {
            return true;
        }
        Throwable each = failure;
        while (each != null && !(each instanceof HandlerTimeoutException)) {
            if (each instanceof InterruptedException) {
                return true;
            }
            each = each.getCause();
        }
        return false;
    }

    /** What to do about a failure. */
    @FunctionalInterface
    public interface Decision {

        /** Returns if the event is to count as handled, throws otherwise. */
        void recover(Throwable failure, EventContext context) throws Exception;
    }
}
