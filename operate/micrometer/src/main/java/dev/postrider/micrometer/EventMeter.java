package dev.postrider.micrometer;

import dev.postrider.micrometer.PostriderMeter.Kind;
import java.util.List;

/**
 * Every meter of publishers and subscribers. Names and tags are part of the API: {@code docs/reference/metrics.md} lists the same.
 *
 * <p>The tag {@code type} is the name of an event type, which the code of a service knows; never anything of a single event.
 */
public enum EventMeter {
    PUBLISHED(
            "postrider.events.published",
            "One publishing of an event, its encoding and sending included; outcome is success or failure",
            "type",
            "outcome"),
    HANDLED(
            "postrider.events.handled",
            "One run of what is inside of the interceptor; outcome is success, failure or unprocessable",
            "subscriber",
            "type",
            "outcome");

    private final String meterName;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
    private final List<String> tags;

    EventMeter(String meterName, String description, String... tags) {
        this.meterName = meterName;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** The name as Micrometer knows it; a registry may change its spelling. */
    public String meterName() {
        return meterName;
    }

    /** A timer, which counts as well. */
    public Kind kind() {
        return Kind.TIMER;
    }

    public String description() {
        return description;
    }

    /** The keys of its tags. */
    public List<String> tags() {
        return tags;
    }
}
