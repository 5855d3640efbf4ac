package dev.postrider.bus.interceptor;

import java.util.List;

/** Checks the data of events: the port to a validation library. Thread-safe. */
@FunctionalInterface
public interface EventValidator {

    /** What is wrong, in sentences that name fields but no values; empty if nothing is. */
    List<String> violations(Object event);
}
