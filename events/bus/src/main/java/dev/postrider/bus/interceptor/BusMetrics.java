package dev.postrider.bus.interceptor;

import java.time.Duration;

/** Counts and times events: the port to a metrics library. Implementations are thread-safe and never throw. */
public interface BusMetrics {

    /** How an event ended. */
    enum Outcome {
        SUCCESS,
        FAILURE,
        UNPROCESSABLE
    }

    void published(String type, Outcome outcome, Duration duration);

    void handled(String subscriber, String type, Outcome outcome, Duration duration);
}
