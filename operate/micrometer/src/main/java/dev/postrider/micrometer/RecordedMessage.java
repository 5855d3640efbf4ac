package dev.postrider.micrometer;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The trace of the message whose delay this thread is recording: sends end on threads of the broker's client, outside of any span. */
final class RecordedMessage {

    private static final Pattern TRACE_PARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");
    private static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

    private RecordedMessage() {}

    static void record(OutboxMessage message, Timer timer, Duration time) {
        Optional<String> traceParent = message.headers().get(Headers.TRACE_PARENT);
        if (traceParent.isEmpty()) {
            timer.record(time);
            return;
        }
        CURRENT.set(traceParent.get());
        try {
            timer.record(time);
        } finally {
            CURRENT.remove();
        }
    }

    /** Empty outside of {@link #record}, and if the message has no trace, or one that is not well-formed. */
    static Optional<Span> current() {
        return Optional.ofNullable(CURRENT.get())
                .map(TRACE_PARENT::matcher)
                .filter(Matcher::matches)
                .map(found ->
                        new Span(found.group(1), found.group(2), (Integer.parseInt(found.group(3), 16) & 1) == 1));
    }

    /** The span in which a message was written. */
    record Span(String traceId, String spanId, boolean isSampled) {}
}
