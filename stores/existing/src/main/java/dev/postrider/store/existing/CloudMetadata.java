package dev.postrider.store.existing;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

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
    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, JsonMembers.Value> members;

    private CloudMetadata(Map<String, JsonMembers.Value> members) {
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
        StringWriter json = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), json)) {
            out.writeStartObject();
            out.writeStringProperty("SpecVersion", CloudEventAttributes.SPEC_VERSION);
            out.writeStringProperty("Type", event.type());
            out.writeStringProperty(
                    "Source", message.headers().get(Headers.SOURCE).orElse(""));
            out.writeStringProperty("Subject", subject.orElse(""));
            out.writeStringProperty("ID", event.id());
            writeOptional(out, "Time", event.time());
            writeExtensions(out, event);
            writeOptional(out, "DataSchema", event.dataSchema());
            out.writeStringProperty("DataContentType", event.dataContentType());
            out.writeEndObject();
        }
        return json.toString();
    }

    private static void writeExtensions(JsonGenerator out, CloudEventAttributes event) {
        Map<String, String> extensions = new LinkedHashMap<>(event.extensions());
        event.plainHeaders().asMap().forEach((name, value) -> extensions.put(extensionName(name), value));
        out.writeName("Extensions");
        if (extensions.isEmpty()) {
            out.writeNull();
            return;
        }
        out.writeStartObject();
        extensions.forEach((name, value) -> {
            out.writeName(name);
            if (event.isText(name)) {
                out.writeString(value);
            } else {
                out.writeRawValue(value);
            }
        });
        out.writeEndObject();
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

    private static void writeOptional(JsonGenerator out, String name, Optional<String> value) {
        out.writeName(name);
        value.ifPresentOrElse(out::writeString, out::writeNull);
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

    /** The members of an object in the metadata; empty if it is absent or anything else. */
    private Map<String, JsonMembers.Value> object(String name) {
        JsonMembers.Value value = members.get(name);
        return value != null && value.isObject() ? JsonMembers.of(value.source()) : Map.of();
    }

    /** A text that is empty counts as absent. */
    private Optional<String> text(String name) {
        return member(name).filter(text -> !text.isEmpty());
    }

    private Optional<String> member(String name) {
        JsonMembers.Value value = members.get(name);
        if (value == null || value.isNull() || value.isObject()) {
            return Optional.empty();
        }
        if (!value.isText()) {
            throw new InvalidMessageException(name, "is no text in the metadata");
        }
        return value.scalar();
    }
}
