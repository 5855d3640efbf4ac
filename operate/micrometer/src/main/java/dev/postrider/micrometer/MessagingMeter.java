package dev.postrider.micrometer;

import dev.postrider.micrometer.PostriderMeter.Kind;
import dev.postrider.spi.internal.TraceAttributes;
import java.util.List;

/**
 * Every meter of {@link MessagingMetrics}: names and tags of OpenTelemetry's messaging conventions 1.44, which are still in development there.
 * {@code docs/reference/metrics.md} lists the same. Each carries the tags {@code messaging.system} and {@code messaging.operation.name};
 * {@code error.type} only after a failure. Topics are never tags.
 */
public enum MessagingMeter {
    SENT("messaging.client.sent.messages", Kind.COUNTER, "Messages that were sent, failures included"),
    OPERATION("messaging.client.operation.duration", Kind.TIMER, "One send, as a histogram"),
    CONSUMED("messaging.client.consumed.messages", Kind.COUNTER, "Messages handed to a subscriber"),
    PROCESS(
            "messaging.process.duration",
            Kind.TIMER,
            "From the hand-over of a message to its settlement, as a histogram");

    static final String SYSTEM_TAG = TraceAttributes.SYSTEM;
    static final String OPERATION_TAG = TraceAttributes.OPERATION_NAME;
    static final String ERROR_TAG = TraceAttributes.ERROR_TYPE;

    private final String meterName;
    private final Kind kind;
    private final String description;

    MessagingMeter(String meterName, Kind kind, String description) {
        this.meterName = meterName;
        this.kind = kind;
        this.description = description;
    }

    /** The name as Micrometer knows it; a registry may change its spelling. */
    public String meterName() {
        return meterName;
    }

    /** A counter or a timer. */
    public Kind kind() {
        return kind;
    }

    public String description() {
        return description;
    }

    /** The keys of its tags. */
    public List<String> tags() {
        return List.of(SYSTEM_TAG, OPERATION_TAG, ERROR_TAG);
    }
}
