package dev.postrider.micrometer;

import java.util.List;

/**
 * Every meter of receivers. Names and tags are part of the API: {@code docs/reference/metrics.md} lists the same.
 *
 * <p>Each carries the tag {@code receiver}, the name of the receiver; never anything of a message.
 */
public enum ReceiverMeter {
    RECEIVED("postrider.receiver.received", "counter", "Messages handed over, for the first time or again"),
    HANDLING(
            "postrider.receiver.handling",
            "timer",
            "From the hand-over of a message to its settlement; outcome is handled or failed",
            "outcome"),
    RETRIED("postrider.receiver.retried", "counter", "Messages that failed and will arrive again"),
    PARKED("postrider.receiver.parked", "counter", "Messages given up on or not readable, again after a fault");

    /** The tag that every one carries. */
    public static final String RECEIVER_TAG = "receiver";

    private final String meterName;
    private final String kind;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
    private final List<String> tags;

    ReceiverMeter(String meterName, String kind, String description, String... tags) {
        this.meterName = meterName;
        this.kind = kind;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** The name as Micrometer knows it; a registry may change its spelling. */
    public String meterName() {
        return meterName;
    }

    /** {@code counter} or {@code timer}. */
    public String kind() {
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
