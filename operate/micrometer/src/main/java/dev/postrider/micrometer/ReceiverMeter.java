package dev.postrider.micrometer;

import dev.postrider.micrometer.PostriderMeter.Kind;
import java.util.List;

/**
 * Every meter of receivers. Names and tags are part of the API: {@code docs/reference/metrics.md} lists the same.
 *
 * <p>Each carries the tag {@code receiver}, the name of the receiver; never anything of a message.
 */
public enum ReceiverMeter {
    RECEIVED("postrider.receiver.received", Kind.COUNTER, "Messages handed over, for the first time or again"),
    HANDLING(
            "postrider.receiver.handling",
            Kind.TIMER,
            "From the hand-over of a message to its settlement; outcome is handled or failed",
            "outcome"),
    RETRIED("postrider.receiver.retried", Kind.COUNTER, "Messages that failed and will arrive again"),
    PARKED("postrider.receiver.parked", Kind.COUNTER, "Messages given up on or not readable, again after a fault");

    /** The tag that every one carries. */
    public static final String RECEIVER_TAG = "receiver";

    private final String meterName;
    private final Kind kind;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
    private final List<String> tags;

    ReceiverMeter(String meterName, Kind kind, String description, String... tags) {
        this.meterName = meterName;
        this.kind = kind;
        this.description = description;
        this.tags = List.of(tags);
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

    /** The keys of its tags besides {@link #RECEIVER_TAG}. */
    public List<String> tags() {
        return tags;
    }
}
