package dev.postrider.store.existing;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.JsonText;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The attributes of a CloudEvent as a JSON object with the members {@code SpecVersion}, {@code Type}, {@code Source},
 * {@code Subject}, {@code ID}, {@code Time}, {@code Extensions}, {@code DataSchema} and {@code DataContentType}.
 *
 * <p>{@code DataSchema} is written as a text, and read also as an object with the parts of a URL. Extensions keep their types.
 */
final class CloudMetadata {

    /** What services write that have no time. */
    private static final String NO_TIME = "0001-01-01T00:00:00Z";

    private static final Pattern EXTENSION_NAME = Pattern.compile("[a-z0-9]+");

    /** Nothing is said. */
    static final CloudMetadata NONE = new CloudMetadata(Map.of());

    private final Map<String, JsonText.Value> members;

    private CloudMetadata(Map<String, JsonText.Value> members) {
        this.members = members;
    }

    static CloudMetadata read(String json) {
        return new CloudMetadata(MessageMaker.object(json));
    }

    /**
     * The attributes of a message, as services on the bus that knows these tables write them.
     *
     * @param subject also the key of the row
     */
    static String write(OutboxMessage message, Optional<String> subject) {
        CloudEventAttributes event = CloudEventAttributes.of(message, "/");
        Map<String, String> members = new LinkedHashMap<>();
        members.put("SpecVersion", CloudEventAttributes.SPEC_VERSION);
        members.put("Type", event.type());
        members.put("Source", message.headers().get(Headers.SOURCE).orElse(""));
        members.put("Subject", subject.orElse(""));
        members.put("ID", event.id());
        members.put("Time", event.time().orElse("null"));
        members.put("Extensions", extensions(event));
        members.put("DataSchema", event.dataSchema().orElse("null"));
        members.put("DataContentType", event.dataContentType());
        return HeaderJson.write(members, name -> switch (name) {
            case "Time" -> event.time().isPresent();
            case "Extensions" -> false;
            case "DataSchema" -> event.dataSchema().isPresent();
            default -> true;
        });
    }

    private static String extensions(CloudEventAttributes event) {
        Map<String, String> extensions = new LinkedHashMap<>(event.extensions());
        event.plainHeaders().asMap().forEach((name, value) -> extensions.put(extensionName(name), value));
        return extensions.isEmpty() ? "null" : HeaderJson.write(extensions, event::isText);
    }

    /** There is no other place for a header. */
    private static String extensionName(String header) {
        if (!EXTENSION_NAME.matcher(header).matches()) {
            throw new InvalidMessageException(
                    "headers",
                    "have '" + header
                            + "', for which the metadata of these tables have no place; names of lower-case letters and"
                            + " digits become extensions");
        }
        return header;
    }

    /** A member as a text, whatever it is, as SQL takes it out; empty if it is absent. */
    Optional<String> plain(String name) {
        return plain(members, name);
    }

    Optional<String> plainExtension(String name) {
        return plain(object("Extensions"), name);
    }

    private static Optional<String> plain(Map<String, JsonText.Value> among, String name) {
        return Optional.ofNullable(among.get(name)).flatMap(JsonText.Value::asHeader);
    }

    String type() {
        return text("Type").orElseThrow(() -> new InvalidMessageException("Type", "is missing in the metadata"));
    }

    Optional<String> contentType() {
        return text("DataContentType");
    }

    /**
     * The headers that stand for these attributes.
     *
     * @param asWritten whether they are sent as they are; if not, an empty source counts as missing
     */
    Map<String, String> headers(boolean asWritten) {
        WrittenHeaders headers = new WrittenHeaders(asWritten);
        member("Source")
                .filter(value -> asWritten || !value.isEmpty())
                .ifPresent(value -> headers.put(Headers.SOURCE, value));
        text("Subject").ifPresent(value -> headers.put(Headers.SUBJECT, value));
        text("Time").filter(value -> !value.equals(NO_TIME)).ifPresent(value -> headers.put(Headers.TIME, value));
        schema().ifPresent(value -> headers.put(Headers.DATA_SCHEMA, value));
        object("Extensions").forEach((name, value) -> headers.put(Headers.EXTENSION_PREFIX + name, value));
        return headers.asMap();
    }

    private Optional<String> schema() {
        Map<String, JsonText.Value> url = object("DataSchema");
        return url.isEmpty() ? text("DataSchema") : Optional.of(urlOf(url));
    }

    private static String urlOf(Map<String, JsonText.Value> url) {
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

    private static Optional<String> part(Map<String, JsonText.Value> url, String name) {
        return Optional.ofNullable(url.get(name))
                .filter(JsonText.Value::isText)
                .flatMap(JsonText.Value::scalar)
                .filter(text -> !text.isEmpty());
    }

    /** The members of an object in the metadata; empty if it is absent or anything else. */
    private Map<String, JsonText.Value> object(String name) {
        JsonText.Value value = members.get(name);
        return value != null && value.isObject() ? JsonText.lastMembers(value.source()) : Map.of();
    }

    /** A text that is empty counts as absent. */
    private Optional<String> text(String name) {
        return member(name).filter(text -> !text.isEmpty());
    }

    private Optional<String> member(String name) {
        JsonText.Value value = members.get(name);
        if (value == null || value.isNull() || value.isObject()) {
            return Optional.empty();
        }
        if (!value.isText()) {
            throw new InvalidMessageException(name, "is no text in the metadata");
        }
        return value.scalar();
    }
}
