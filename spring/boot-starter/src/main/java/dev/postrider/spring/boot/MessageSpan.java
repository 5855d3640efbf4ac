package dev.postrider.spring.boot;

import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.TraceAttributes;
import io.micrometer.observation.Observation;
import java.util.concurrent.atomic.AtomicBoolean;

/** An observation that was started. */
final class MessageSpan implements TraceSpan {

    private final Observation observation;
    private final AtomicBoolean hasEnded = new AtomicBoolean();

    MessageSpan(Observation observation) {
        this.observation = observation;
    }

    @Override
    public TraceContext.Scope makeCurrent() {
        Observation.Scope scope = observation.openScope();
        return scope::close;
    }

    @Override
    public void tag(String name, String value) {
        observation.highCardinalityKeyValue(name, value);
    }

    @Override
    public void end() {
        if (hasEnded.compareAndSet(false, true)) {
            observation.stop();
        }
    }

    @Override
    public void fail(String errorType, String reason) {
        if (hasEnded.compareAndSet(false, true)) {
            observation.highCardinalityKeyValue(TraceAttributes.ERROR_TYPE, errorType);
            observation.error(new AttemptFailedException(reason));
            observation.stop();
        }
    }

    /** Why an attempt has failed, for handlers of observations, which want an exception. Nobody throws it. */
    static final class AttemptFailedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        AttemptFailedException(String reason) {
            super(reason, null, false, false);
        }
    }
}
