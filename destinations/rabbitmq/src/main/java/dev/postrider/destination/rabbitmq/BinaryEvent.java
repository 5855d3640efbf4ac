package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StructuredEvent;
import dev.postrider.spi.internal.ReceivedEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * CloudEvents in binary mode: the content type is an AMQP property, the other attributes are headers {@code
 * cloudEvents:<name>}, all other headers stand under their own names. The type is a property too, as older consumers look for it.
 *
 * <p>Extensions stand twice, with the prefix as the CloudEvents binding for AMQP has it, and bare as older consumers look for
 * them. The key of a message is the extension {@code partitionkey}.
 */
final class BinaryEvent {

    private static final String PREFIX = "cloudEvents:";

    /** What producers write whose AMQP library allows no colon in names. */
    private static final String OTHER_PREFIX = "cloudEvents_";

    private static final Pattern EXTENSION_NAME = Pattern.compile("[a-z0-9]+");
    private static final Set<String> NO_EXTENSIONS = Set.of(
            "specversion",
            "id",
            "source",
            "type",
            "subject",
            "time",
            "dataschema",
            "datacontenttype",
            "data",
            StructuredEvent.KEY_ATTRIBUTE);

    private BinaryEvent() {}

    static BasicProperties properties(
            BasicProperties.Builder properties, CloudEventAttributes event, OutboxMessage message) {
        return properties
                .contentType(AmqpText.shortString("contentType", event.dataContentType()))
                .headers(headers(event, message))
                .build();
    }

    private static Map<String, Object> headers(CloudEventAttributes event, OutboxMessage message) {
        Map<String, Object> headers = new LinkedHashMap<>();
        event.asMap()
                .forEach((name, value) ->
                        headers.put(headerName(PREFIX + name), event.value(name).orElse(value)));
        message.key().ifPresent(key -> headers.putIfAbsent(PREFIX + StructuredEvent.KEY_ATTRIBUTE, key));
        event.plainHeaders().asMap().forEach((name, value) -> headers.put(PlainHeaders.checkedName(name), value));
        // A plain header of that name comes first: whoever set it looks for it there.
        event.extensions()
                .forEach((name, value) ->
                        headers.putIfAbsent(bareName(name), event.value(name).orElse(value)));
        return headers;
    }

    /** Names of other systems' extensions may be anything, also what RabbitMQ acts on. */
    private static String bareName(String name) {
        return EXTENSION_NAME.matcher(name).matches() ? name : PlainHeaders.checkedName(name);
    }

    private static String headerName(String name) {
        return AmqpText.shortString("header name", name);
    }

    static ReceivedEvent read(String exchange, BasicProperties properties, byte[] body) {
        Map<String, String> attributes = new LinkedHashMap<>();
        Map<String, String> plain = new LinkedHashMap<>();
        if (properties.getType() != null) {
            attributes.put("type", properties.getType());
        }
        headersOf(properties).forEach((name, value) -> {
            if (name.startsWith(PREFIX) || name.startsWith(OTHER_PREFIX)) {
                String attribute = name.substring(PREFIX.length());
                AmqpText.attribute(attribute, value).ifPresent(text -> attributes.put(attribute, text));
            } else if (!DeathRecord.isRecord(name)) {
                AmqpText.text(value).ifPresent(text -> plain.put(name, text));
            }
        });
        // Producers that have no value write an empty one.
        attributes
                .entrySet()
                .removeIf(each -> each.getValue().isEmpty() && !each.getKey().equals("source"));
        String key = attributes.remove(StructuredEvent.KEY_ATTRIBUTE);
        attributes.forEach((name, value) -> removeCopy(plain, name, value));
        String contentType =
                Optional.ofNullable(properties.getContentType()).orElse(OutboxMessage.DEFAULT_CONTENT_TYPE);
        CloudEventAttributes stored = CloudEventAttributes.of(attributes, contentType, Headers.of(plain));
        CloudEventAttributes event =
                CloudEventAttributes.of(withBareExtensions(attributes, plain), contentType, Headers.of(plain));
        ReceivedEvent received = ReceivedEvent.of(stored, exchange, Optional.ofNullable(key), body);
        return new ReceivedEvent(received.message(), event);
    }

    /** An extension that stands there twice is read once. Not that of a trace, which handlers look for under both names, as at other brokers. */
    private static void removeCopy(Map<String, String> plain, String name, String value) {
        if (!name.equals(Headers.TRACE_PARENT) && !name.equals(Headers.TRACE_STATE)) {
            plain.remove(name, value);
        }
    }

    /** Other producers write extensions under their bare names only: a header that may be one counts as one too. */
    private static Map<String, String> withBareExtensions(Map<String, String> attributes, Map<String, String> plain) {
        Map<String, String> all = new LinkedHashMap<>(plain);
        all.keySet().removeAll(NO_EXTENSIONS);
        all.putAll(attributes);
        return all;
    }

    private static Map<String, Object> headersOf(BasicProperties properties) {
        return Optional.ofNullable(properties.getHeaders()).orElse(Map.of());
    }
}
