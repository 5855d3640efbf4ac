package dev.postrider.spi.internal;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the failures of a tracing library away from messages, and headers that not every store and broker takes. The first failure is logged
 * as a warning, all others at debug. Thread-safe.
 */
public final class ContainedTracing implements TraceContext {

    private static final Logger LOG = LoggerFactory.getLogger(ContainedTracing.class);

    private final TraceContext target;
    private final AtomicBoolean hasFailed = new AtomicBoolean();

    private ContainedTracing(TraceContext target) {
        this.target = target;
    }

    /** The same, contained. */
    public static TraceContext of(TraceContext trace) {
        return trace == NONE || trace instanceof ContainedTracing ? trace : new ContainedTracing(trace);
    }

    @Override
    public Optional<String> current() {
        return answer(target::current, Optional.empty());
    }

    @Override
    public Scope continueFrom(String traceParent, String name) {
        return safeScope(answer(() -> target.continueFrom(traceParent, name), TraceSpan.NO_SCOPE));
    }

    @Override
    public Map<String, String> capture() {
        return answer(() -> TraceHeaders.of(target.capture()), Map.of());
    }

    @Override
    public Map<String, String> capture(OutboxMessage message) {
        return answer(() -> TraceHeaders.of(target.capture(message)), Map.of());
    }

    @Override
    public TraceSpan sending(Sending sending) {
        return safeSpan(answer(() -> target.sending(sending), TraceSpan.NONE));
    }

    @Override
    public TraceSpan publishing(Destination destination, OutboxMessage message) {
        return safeSpan(answer(() -> target.publishing(destination, message), TraceSpan.NONE));
    }

    @Override
    public TraceSpan processing(Processing processing) {
        return safeSpan(answer(() -> target.processing(processing), TraceSpan.NONE));
    }

    private TraceSpan safeSpan(TraceSpan span) {
        return span == TraceSpan.NONE ? span : new ContainedSpan(span);
    }

    private Scope safeScope(Scope scope) {
        return scope == TraceSpan.NO_SCOPE ? scope : () -> run(scope::close);
    }

    private void run(Runnable call) {
        Object unused = answer(
                () -> {
                    call.run();
                    return "";
                },
                "");
    }

    private <T> T answer(Supplier<T> call, T otherwise) {
        try {
            T answer = call.get();
            return answer != null ? answer : otherwise;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) {
            if (hasFailed.getAndSet(true)) {
                LOG.debug("Tracing by {} failed again", target.getClass().getName(), failure);
            } else {
                LOG.warn(
                        "Tracing by {} failed; messages go on without. Further failures are logged at debug only",
                        target.getClass().getName(),
                        failure);
            }
            return otherwise;
        }
    }

    private final class ContainedSpan implements TraceSpan {

        private final TraceSpan span;

        ContainedSpan(TraceSpan span) {
            this.span = span;
        }

        @Override
        public Scope makeCurrent() {
            return safeScope(answer(span::makeCurrent, NO_SCOPE));
        }

        @Override
        public void tag(String name, String value) {
            run(() -> span.tag(name, value));
        }

        @Override
        public void end() {
            run(span::end);
        }

        @Override
        public void fail(String errorType, String reason) {
            run(() -> span.fail(errorType, reason));
        }
    }
}
