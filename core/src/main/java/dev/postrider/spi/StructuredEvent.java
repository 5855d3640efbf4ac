package dev.postrider.spi;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.JsonText;
import dev.postrider.internal.Utf8;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A CloudEvent in structured mode, the same at every broker: one JSON object with the attributes and the payload, the key as the
 * extension {@code partitionkey}.
 *
 * <p>The payload is the member {@code data}, byte for byte, where its content type is JSON, and {@code data_base64} otherwise. Other headers
 * of a message travel beside the object, as the broker has them. Immutable.
 */
public final class StructuredEvent {

    /** The content type of such an object. */
    public static final String CONTENT_TYPE = "application/cloudevents+json";

    /** The extension that carries the key of a message. */
    public static final String KEY_ATTRIBUTE = "partitionkey";

    private static final String JSON = "application/json";

    private final CloudEventAttributes attributes;
    private final Optional<String> key;
    private final byte[] payload;

    private StructuredEvent(CloudEventAttributes attributes, Optional<String> key, byte[] payload) {
        this.attributes = attributes;
        this.key = key;
        this.payload = payload;
    }

    /** Whether this is the content type of structured events, in any case and with any parameters. */
    public static boolean isStructured(String contentType) {
        return bare(contentType).equals(CONTENT_TYPE);
    }

    private static String bare(String contentType) {
        return contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /**
     * The object for this event, in UTF-8.
     *
     * @param event the attributes of the message
     * @throws InvalidMessageException if the payload is said to be JSON and is not
     */
    public static byte[] write(CloudEventAttributes event, OutboxMessage message) {
        Map<String, String> members = new LinkedHashMap<>(event.asMap());
        // The type of the envelope says nothing of what is in it, but that it is JSON.
        members.put("datacontenttype", isStructured(event.dataContentType()) ? JSON : event.dataContentType());
        message.key().ifPresent(key -> members.putIfAbsent(KEY_ATTRIBUTE, key));
        if (!isJson(event.dataContentType())) {
            members.put("data_base64", Base64.getEncoder().encodeToString(message.payload()));
            return utf8(HeaderJson.write(members, event::isText));
        }
        String object = HeaderJson.write(members, event::isText);
        String open = object.substring(0, object.length() - 1);
        return utf8(open + ",\"data\":" + checkedJson(message.payload()) + "}");
    }

    private static boolean isJson(String contentType) {
        String type = bare(contentType);
        return type.endsWith("/json") || type.endsWith("+json");
    }

    /** Anything else would break the object around it. */
    private static String checkedJson(byte[] payload) {
        return Utf8.decode(payload)
                .filter(JsonText::isValid)
                .orElseThrow(() -> new InvalidMessageException(
                        "payload",
                        "is no JSON though its content type says so, and cannot be part of a structured event"));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The event that an object carries, from any producer.
     *
     * @param plain the headers that travelled beside it
     * @throws InvalidMessageException if it is no CloudEvent; the text says what is missing or wrong
     */
    public static StructuredEvent read(byte[] object, Headers plain) {
        Map<String, JsonText.Value> members = membersOf(object);
        byte[] payload = payloadOf(members);
        Map<String, String> attributes = new LinkedHashMap<>();
        members.forEach((name, value) -> attributes.put(name, attribute(name, value)));
        attributes
                .entrySet()
                .removeIf(each -> each.getValue().isEmpty() && !each.getKey().equals("source"));
        String contentType =
                Optional.ofNullable(attributes.remove("datacontenttype")).orElse(JSON);
        Optional<String> key = Optional.ofNullable(attributes.remove(KEY_ATTRIBUTE));
        return new StructuredEvent(CloudEventAttributes.of(attributes, contentType, plain), key, payload);
    }

    private static Map<String, JsonText.Value> membersOf(byte[] object) {
        String text = Utf8.decode(object).orElseThrow(() -> new InvalidMessageException("body", "is not UTF-8"));
        try {
            return JsonText.members(text);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidMessageException("body", "is no JSON object: " + invalid.getMessage());
        }
    }

    /** An attribute that is null or empty counts as absent. */
    private static String attribute(String name, JsonText.Value value) {
        if (value.isNull()) {
            return "";
        }
        return value.scalar()
                .orElseThrow(() -> new InvalidMessageException(
                        "body", "has an object or array as the attribute " + name + "; attributes are scalars"));
    }

    private static byte[] payloadOf(Map<String, JsonText.Value> members) {
        JsonText.Value encoded = members.remove("data_base64");
        JsonText.Value data = members.remove("data");
        if (encoded != null && !encoded.isNull()) {
            return base64(attribute("data_base64", encoded));
        }
        return data == null ? new byte[0] : utf8(data.source());
    }

    private static byte[] base64(String encoded) {
        try {
            return Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidMessageException("data_base64", "is no Base64: " + invalid.getMessage());
        }
    }

    public CloudEventAttributes attributes() {
        return attributes;
    }

    public Optional<String> key() {
        return key;
    }

    public byte[] payload() {
        return payload.clone();
    }
}
