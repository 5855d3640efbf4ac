package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import java.util.Objects;

/**
 * Lets a service decide what a failure means. For subscribers. Thread-safe.
 *
 * <p>Without it, everything that is thrown but unprocessable events is tried again, errors such as {@link StackOverflowError} included. The
 * decision either returns, and the event counts as handled, or throws what it should count as:
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
        } catch (InterruptedException interrupted) {
            // Somebody wants the handler to end; that says nothing of the event.
            throw interrupted;
        } catch (Exception | Error failure) {
            decision.recover(failure, context);
        }
    }

    /** What to do about a failure. */
    @FunctionalInterface
    public interface Decision {

        /** Returns if the event is to count as handled, throws otherwise. */
        void recover(Throwable failure, EventContext context) throws Exception;
    }
}
