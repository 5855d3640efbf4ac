package dev.postrider.message;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The headers of a message: an immutable map of strings in the order in which they were given.
 *
 * <p>Names are case-sensitive, never empty, and hold no control characters and no spaces at their ends; values hold no NUL; both hold
 * whole surrogate pairs only.
 * The names that all of Postrider understands are constants here; with the id, type and content type of the message they
 * make a CloudEvent.
 */
public final class Headers {

    /** The CloudEvents source; the outbox fills in its default when a message has none. */
    public static final String SOURCE = "ce_source";

    public static final String SUBJECT = "ce_subject";
    public static final String TIME = "ce_time";
    public static final String DATA_SCHEMA = "ce_dataschema";

    /** What precedes the name of a CloudEvents extension attribute. */
    public static final String EXTENSION_PREFIX = "ce_";

    public static final String AGGREGATE_TYPE = "aggregatetype";
    public static final String CORRELATION_ID = "correlationid";
    public static final String CAUSATION_ID = "causationid";

    /** The W3C trace context; at a broker, that of whoever sent the message last, since clients' instrumentation replaces it. */
    public static final String TRACE_PARENT = "traceparent";

    public static final String TRACE_STATE = "tracestate";

    /** The trace context in which the message was created, as the CloudEvents extension for it; nobody replaces it. */
    public static final String CREATION_TRACE_PARENT = EXTENSION_PREFIX + TRACE_PARENT;

    public static final String CREATION_TRACE_STATE = EXTENSION_PREFIX + TRACE_STATE;

    /**
     * Marks an event of another system whose attributes are sent as they were written, also where CloudEvents would have another form. The
     * value is a JSON object that names the attributes which are no texts, such as {@code {"shard":"number","isnew":"boolean"}}. It
     * is never sent itself.
     */
    public static final String AS_WRITTEN = "postrider-as-written";

    private static final Headers NONE = new Headers(Map.of());

    /** Never changed. */
    private final Map<String, String> values;

    private Headers(Map<String, String> values) {
        this.values = values;
    }

    public static Headers none() {
        return NONE;
    }

    /** A checked copy of the map, in its iteration order. */
    public static Headers of(Map<String, String> values) {
        if (values == null) {
            throw new InvalidMessageException("headers", "is null");
        }
        if (values.isEmpty()) {
            return NONE;
        }
        Map<String, String> copy = new LinkedHashMap<>();
        values.forEach((name, value) -> copy.put(checkedName(name), checkedValue(name, value)));
        return new Headers(copy);
    }

    /** A copy in which the name has this value. */
    public Headers with(String name, String value) {
        checkedName(name);
        checkedValue(name, value);
        if (values.isEmpty()) {
            return new Headers(Map.of(name, value));
        }
        Map<String, String> copy = new LinkedHashMap<>(values);
        copy.put(name, value);
        return new Headers(copy);
    }

    /** The others; checked before, they are not checked again. */
    Headers without(Predicate<String> names) {
        Map<String, String> others = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (!names.test(name)) {
                others.put(name, value);
            }
        });
        return others.isEmpty() ? NONE : new Headers(others);
    }

    public Optional<String> get(String name) {
        return Optional.ofNullable(values.get(name));
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** An unmodifiable view. */
    public Map<String, String> asMap() {
        return Collections.unmodifiableMap(values);
    }

    /** Ties together all messages of one business process. */
    public Optional<String> correlationId() {
        return get(CORRELATION_ID);
    }

    /** The id of the message that caused this one. */
    public Optional<String> causationId() {
        return get(CAUSATION_ID);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Headers headers && values.equals(headers.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** The names only: a value may be confidential. */
    @Override
    public String toString() {
        return "Headers" + values.keySet();
    }

    private static String checkedName(String name) {
        if (name == null || name.isEmpty()) {
            throw new InvalidMessageException("headers", "have a name that is " + (name == null ? "null" : "empty"));
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                throw new InvalidMessageException(
                        "headers",
                        "have a name with control character U+%04X at position %d; names may hold no line breaks or other control characters"
                                .formatted((int) name.charAt(i), i));
            }
        }
        int half = Surrogates.firstHalfPair(name);
        if (half >= 0) {
            throw new InvalidMessageException("headers", "have a name with half a surrogate pair at position " + half);
        }
        if (!name.equals(name.strip())) {
            throw new InvalidMessageException(
                    "headers", "have the name '" + name + "' with a space at its end; remove it");
        }
        return name;
    }

    private static String checkedValue(String name, String value) {
        if (value == null) {
            throw new InvalidMessageException(
                    "headers", "have no value for '" + name + "' (null); leave the header out");
        }
        int nul = value.indexOf('\0');
        if (nul >= 0) {
            throw new InvalidMessageException(
                    "headers", "have a NUL character in the value of '" + name + "' at position " + nul);
        }
        int half = Surrogates.firstHalfPair(value);
        if (half >= 0) {
            throw new InvalidMessageException(
                    "headers", "have half a surrogate pair in the value of '" + name + "' at position " + half);
        }
        return value;
    }
}
