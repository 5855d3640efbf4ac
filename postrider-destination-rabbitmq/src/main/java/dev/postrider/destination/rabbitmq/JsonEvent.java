package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.destination.rabbitmq.JsonReader.Value;
import dev.postrider.internal.HeaderJson;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * CloudEvents in structured mode: one JSON object with the attributes and the payload. Plain headers travel as AMQP headers
 * beside it.
 */
final class JsonEvent {

    static final String CONTENT_TYPE = "application/cloudevents+json";

    private JsonEvent() {}

    static BasicProperties properties(BasicProperties.Builder properties, CloudEventAttributes event) {
        Map<String, Object> headers = new LinkedHashMap<>();
        event.plainHeaders()
                .asMap()
                .forEach((name, value) -> headers.put(AmqpText.shortString("header name", name), value));
        return properties.contentType(CONTENT_TYPE).headers(headers).build();
    }

    static byte[] body(CloudEventAttributes event, OutboxMessage message) {
        Map<String, String> members = new LinkedHashMap<>(event.asMap());
        // The type of the envelope says nothing of what is in it, but that it is JSON.
        members.put(
                "datacontenttype", isEnvelope(event.dataContentType()) ? "application/json" : event.dataContentType());
        message.key().ifPresent(key -> members.putIfAbsent(BinaryEvent.KEY_ATTRIBUTE, key));
        if (!isJson(event.dataContentType())) {
            members.put("data_base64", Base64.getEncoder().encodeToString(message.payload()));
            return utf8(HeaderJson.write(members));
        }
        String object = HeaderJson.write(members);
        String open = object.substring(0, object.length() - 1);
        return utf8(open + ",\"data\":" + checkedJson(message.payload()) + "}");
    }

    /** Whether this is the content type of structured events, in any case and with any parameters. */
    static boolean isEnvelope(String contentType) {
        return bare(contentType).equals(CONTENT_TYPE);
    }

    private static String bare(String contentType) {
        return contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static boolean isJson(String contentType) {
        String type = bare(contentType);
        return type.endsWith("/json") || type.endsWith("+json");
    }

    /** Anything else would break the object around it. */
    private static String checkedJson(byte[] payload) {
        try {
            String text = decoded(payload);
            JsonReader.check(text);
            return text;
        } catch (CharacterCodingException | IllegalArgumentException invalid) {
            throw new InvalidMessageException(
                    "payload",
                    "is no JSON though its content type says so, and cannot be part of a structured event: "
                            + invalid.getMessage());
        }
    }

    /** Strictly: a parser would guess at other encodings. */
    private static String decoded(byte[] utf8) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static ArrivedEvent read(String exchange, BasicProperties properties, byte[] body) {
        Map<String, Value> members = membersOf(body);
        byte[] payload = payloadOf(members);
        Map<String, String> attributes = new LinkedHashMap<>();
        members.forEach((name, value) -> attributes.put(name, attribute(name, value)));
        attributes.values().removeIf(String::isEmpty);
        String contentType =
                Optional.ofNullable(attributes.remove("datacontenttype")).orElse("application/json");
        String key = attributes.remove(BinaryEvent.KEY_ATTRIBUTE);
        CloudEventAttributes event = CloudEventAttributes.of(attributes, contentType, plainHeaders(properties));
        return ArrivedEvent.of(event, event, exchange, Optional.ofNullable(key), payload);
    }

    private static Map<String, Value> membersOf(byte[] body) {
        try {
            return JsonReader.members(decoded(body));
        } catch (CharacterCodingException | IllegalArgumentException invalid) {
            throw new InvalidMessageException("body", "is no JSON object: " + invalid.getMessage());
        }
    }

    /** An attribute that is null or empty counts as absent. */
    private static String attribute(String name, Value value) {
        if (value.isNull()) {
            return "";
        }
        return value.scalar()
                .orElseThrow(() -> new InvalidMessageException(
                        "body", "has an object or array as the attribute " + name + "; attributes are scalars"));
    }

    private static byte[] payloadOf(Map<String, Value> members) {
        Value encoded = members.remove("data_base64");
        Value data = members.remove("data");
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

    private static Headers plainHeaders(BasicProperties properties) {
        Map<String, String> plain = new LinkedHashMap<>();
        Optional.ofNullable(properties.getHeaders())
                .orElse(Map.of())
                .forEach((name, value) -> BinaryEvent.text(value).ifPresent(text -> plain.put(name, text)));
        plain.keySet().removeIf(DeathRecord::isRecord);
        return Headers.of(plain);
    }
}
