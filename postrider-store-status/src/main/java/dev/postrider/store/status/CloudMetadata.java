package dev.postrider.store.status;

import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import java.net.URI;
import java.net.URISyntaxException;
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

    private final Map<String, JsonMembers.Value> members;

    private CloudMetadata(Map<String, JsonMembers.Value> members) {
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

    Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        text("Source").ifPresent(value -> headers.put(Headers.SOURCE, value));
        text("Subject").ifPresent(value -> headers.put(Headers.SUBJECT, value));
        text("Time").ifPresent(value -> headers.put(Headers.TIME, value));
        schema().ifPresent(value -> headers.put(Headers.DATA_SCHEMA, value));
        object("Extensions")
                .forEach((name, value) -> value.asHeader()
                        .ifPresent(
                                text -> headers.put(Headers.EXTENSION_PREFIX + name.toLowerCase(Locale.ROOT), text)));
        return headers;
    }

    private Optional<String> schema() {
        Map<String, JsonMembers.Value> url = object("DataSchema");
        return url.isEmpty() ? text("DataSchema") : Optional.of(urlOf(url));
    }

    private static String urlOf(Map<String, JsonMembers.Value> url) {
        String scheme = part(url, "Scheme").map(value -> value + ":").orElse("");
        if (part(url, "Opaque").isPresent()) {
            return scheme + part(url, "Opaque").get();
        }
        return scheme
                + part(url, "Host").map(host -> "//" + host).orElse("")
                + part(url, "RawPath")
                        .or(() -> part(url, "Path").map(CloudMetadata::escaped))
                        .orElse("")
                + part(url, "RawQuery").map(query -> "?" + query).orElse("")
                + part(url, "RawFragment")
                        .or(() -> part(url, "Fragment").map(CloudMetadata::escaped))
                        .map(fragment -> "#" + fragment)
                        .orElse("");
    }

    /** Path and fragment are kept decoded, and beside them as they were only where that is not the usual form. */
    private static String escaped(String decoded) {
        try {
            // Behind a host nothing in it can be taken for a scheme or a host.
            return new URI("x", "h", "/" + decoded, null).toASCIIString().substring("x://h/".length());
        } catch (URISyntaxException impossible) {
            throw new InvalidMessageException("DataSchema", "is no URL in the metadata");
        }
    }

    private static Optional<String> part(Map<String, JsonMembers.Value> url, String name) {
        return Optional.ofNullable(url.get(name))
                .filter(JsonMembers.Value::isText)
                .flatMap(JsonMembers.Value::scalar)
                .filter(text -> !text.isEmpty());
    }

    /** The members of an object in the metadata; none if it is absent or anything else. */
    private Map<String, JsonMembers.Value> object(String name) {
        JsonMembers.Value value = members.get(name);
        return value != null && value.isObject() ? JsonMembers.of(value.source()) : Map.of();
    }

    private Optional<String> text(String name) {
        JsonMembers.Value value = members.get(name);
        if (value == null || value.isNull() || value.isObject()) {
            return Optional.empty();
        }
        if (!value.isText()) {
            throw new InvalidMessageException(name, "is no text in the metadata");
        }
        return value.scalar().filter(text -> !text.isEmpty());
    }
}
