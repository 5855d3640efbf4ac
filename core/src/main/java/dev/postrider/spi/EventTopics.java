package dev.postrider.spi;

import java.util.Map;

/**
 * The events of a service, as generated code lists them in {@code SERVICES}: for setting up a broker before anything is published.
 * Immutable.
 */
public interface EventTopics {

    /** Where the events go at the broker, by their types; in the order in which they are listed. */
    Map<String, String> topicsByType();
}
