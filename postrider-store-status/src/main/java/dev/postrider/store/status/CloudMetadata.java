package dev.postrider.store.status;

import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The attributes of a CloudEvent as a JSON object with the members {@code SpecVersion}, {@code Type}, {@code Source},
 * {@code Subject}, {@code ID}, {@code Time}, {@code Extensions}, {@code DataSchema} and {@code DataContentType}.
 *
 * <p>{@code DataSchema} is a text, or an object with the parts of a URL.
 */
final class CloudMetadata {

    private final Map<String, Object> members;

    private CloudMetadata(Map<String, Object> members) {
        this.members = members;
    }

    static CloudMetadata read(String json) {
        return new CloudMetadata(MessageMaker.object(json));
    }

    String type() {
        return text("Type").orElseThrow(() -> new InvalidMessageException("Type", "is missing in the metadata"));
    }

    Optional<String> contentType() {
        return text("DataContentType");
    }

    /** The id of the event: a UUID as it is, any other text as the UUID that is always made of it. */
    Optional<MessageId> id() {
        return text("ID").map(id -> new RowKey(ColumnKind.TEXT, id).messageId("event"));
    }

    Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        text("Source").ifPresent(value -> headers.put(Headers.SOURCE, value));
        text("Subject").ifPresent(value -> headers.put(Headers.SUBJECT, value));
        text("Time").ifPresent(value -> headers.put(Headers.TIME, value));
        schema().ifPresent(value -> headers.put(Headers.DATA_SCHEMA, value));
        if (members.get("Extensions") instanceof Map<?, ?> extensions) {
            extensions.forEach((name, value) -> addExtension(headers, String.valueOf(name), value));
        }
        return headers;
    }

    private static void addExtension(Map<String, String> headers, String name, Object value) {
        if (value instanceof String || value instanceof Json.Scalar) {
            headers.put(Headers.EXTENSION_PREFIX + name.toLowerCase(Locale.ROOT), value.toString());
        } else if (!(value instanceof Optional<?>)) {
            throw new InvalidMessageException("Extensions", "member " + name + " is neither text, number nor boolean");
        }
    }

    private Optional<String> schema() {
        return members.get("DataSchema") instanceof Map<?, ?> url ? Optional.of(urlOf(url)) : text("DataSchema");
    }

    private static String urlOf(Map<?, ?> url) {
        String scheme = part(url, "Scheme").map(value -> value + ":").orElse("");
        if (part(url, "Opaque").isPresent()) {
            return scheme + part(url, "Opaque").get();
        }
        return scheme
                + part(url, "Host").map(host -> "//" + host).orElse("")
                + part(url, "RawPath").or(() -> part(url, "Path")).orElse("")
                + part(url, "RawQuery").map(query -> "?" + query).orElse("")
                + part(url, "Fragment").map(fragment -> "#" + fragment).orElse("");
    }

    private static Optional<String> part(Map<?, ?> url, String name) {
        return url.get(name) instanceof String text && !text.isEmpty() ? Optional.of(text) : Optional.empty();
    }

    private Optional<String> text(String name) {
        Object value = members.get(name);
        if (value == null || value instanceof Optional<?> || "".equals(value)) {
            return Optional.empty();
        }
        if (value instanceof String text) {
            return Optional.of(text);
        }
        throw new InvalidMessageException(name, "is no text in the metadata");
    }
}
