package dev.postrider.bus;

import java.util.Objects;

/**
 * An event that is to be published: what an interceptor sees, and may hand on changed.
 *
 * @param type what happened
 * @param data the typed event
 * @param options those of the call over the publisher's defaults
 */
public record Publication(EventType<?> type, Object data, PublishOptions options) {

    /** @throws IllegalArgumentException if the data are not of the type's class */
    public Publication {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(options, "options");
        if (!type.dataClass().isInstance(data)) {
            throw new IllegalArgumentException("The data of " + type.name() + " are "
                    + type.dataClass().getName() + ", not " + data.getClass().getName());
        }
    }

    public static <T> Publication of(EventType<T> type, T data) {
        return new Publication(type, data, PublishOptions.none());
    }

    public static <T> Publication of(EventType<T> type, T data, PublishOptions options) {
        return new Publication(type, data, options);
    }

    public Publication withOptions(PublishOptions changed) {
        return new Publication(type, data, changed);
    }
}
