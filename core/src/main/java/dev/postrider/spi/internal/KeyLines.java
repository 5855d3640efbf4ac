package dev.postrider.spi.internal;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Lines of what waits, one for each key; what has no key waits for nobody. Not thread-safe. */
final class KeyLines<T> {

    private final Map<Object, ArrayDeque<T>> lines = new HashMap<>();

    void join(Optional<?> key, T item) {
        key.ifPresent(value ->
                lines.computeIfAbsent(value, made -> new ArrayDeque<>()).add(item));
    }

    boolean isFirst(Optional<?> key, T item) {
        return key.isEmpty() || line(key.get()).peek() == item;
    }

    private ArrayDeque<T> line(Object key) {
        return requireNonNull(lines.get(key));
    }

    /** Lets it go, wherever it is in its line; returns who is first in its place. */
    Optional<T> leave(Optional<?> key, T item) {
        if (key.isEmpty()) {
            return Optional.empty();
        }
        ArrayDeque<T> line = line(key.get());
        boolean wasFirst = line.peek() == item;
        line.remove(item);
        if (line.isEmpty()) {
            lines.remove(key.get());
        }
        return wasFirst ? Optional.ofNullable(line.peek()) : Optional.empty();
    }
}
