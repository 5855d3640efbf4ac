package dev.postrider.service.operation;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The fields of a JSON object, in the order in which they were added. Not thread-safe. */
public final class Fields {

    private final Map<String, Object> fields = new LinkedHashMap<>();

    /** Adds a field; text, number, flag, time, or a list or map of them. */
    public Fields with(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    /** Adds a field that is left out when there is no value. */
    public Fields with(String name, Optional<?> value) {
        value.ifPresent(present -> fields.put(name, present));
        return this;
    }

    public Map<String, Object> map() {
        return Collections.unmodifiableMap(fields);
    }
}
