package dev.postrider.destination.nats;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StructuredEvent;
import dev.postrider.spi.internal.ReceivedEvent;
import io.nats.client.Message;
import io.nats.client.impl.NatsMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Turns a message into what goes over the wire, and back: CloudEvents in binary mode, with the attributes as headers {@code
 * ce-<name>}, the content type as {@code content-type}, and the id once more as {@code Nats-Msg-Id}, by which JetStream
 * recognises a duplicate. The key is the extension {@code partitionkey}. Structured mode where the content type says so.
 */
final class EventMapping {

    private static final String PREFIX = "ce-";
    private static final String CONTENT_TYPE = "content-type";
    private static final String MESSAGE_ID = "Nats-Msg-Id";
    private static final String EXPECTED_STREAM = "Nats-Expected-Stream";
    private static final String OF_THE_SERVER = "nats-";
    private static final Set<String> SPECIFIED =
            Set.of("specversion", "id", "source", "type", "subject", "time", "dataschema");

    private final Function<OutboxMessage, String> subject;
    private final Subjects subjects;
    private final String defaultSource;
    private final Optional<String> expectedStream;

    EventMapping(
            Function<OutboxMessage, String> subject,
            Subjects subjects,
            String defaultSource,
            Optional<String> expectedStream) {
        this.subject = subject;
        this.subjects = subjects;
        this.defaultSource = defaultSource;
        this.expectedStream = expectedStream;
    }

    /**
     * What is published for this message.
     *
     * @throws InvalidMessageException if it cannot be said in NATS; the text names the field
     */
    Message write(OutboxMessage message) {
        CloudEventAttributes event = CloudEventAttributes.of(message, defaultSource);
        io.nats.client.impl.Headers headers = new io.nats.client.impl.Headers();
        headers.put(MESSAGE_ID, HeaderText.plainOrEncoded(event.id()));
        expectedStream.ifPresent(stream -> headers.put(EXPECTED_STREAM, stream));
        headers.put(CONTENT_TYPE, HeaderText.encode(event.dataContentType()));
        boolean isStructured = StructuredEvent.isStructured(event.dataContentType());
        if (!isStructured) {
            putAttributes(headers, event, message);
        }
        event.plainHeaders().asMap().forEach((name, value) -> headers.put(plainName(name), HeaderText.encode(value)));
        return NatsMessage.builder()
                .subject(subjects.checked(subject.apply(message)))
                .headers(headers)
                .data(isStructured ? StructuredEvent.write(event, message) : message.payload())
                .build();
    }

    private static void putAttributes(
            io.nats.client.impl.Headers headers, CloudEventAttributes event, OutboxMessage message) {
        event.asMap()
                .forEach((name, value) -> headers.put(HeaderText.checkedName(PREFIX + name), HeaderText.encode(value)));
        if (event.get(StructuredEvent.KEY_ATTRIBUTE).isEmpty()) {
            message.key().ifPresent(key -> headers.put(PREFIX + StructuredEvent.KEY_ATTRIBUTE, HeaderText.encode(key)));
        }
    }

    private static String plainName(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith(PREFIX) || lower.startsWith(OF_THE_SERVER) || lower.equals(CONTENT_TYPE)) {
            throw new InvalidMessageException(
                    "headers",
                    "have the name '" + name + "', which has a meaning of its own in NATS or CloudEvents; rename it");
        }
        return HeaderText.checkedName(name);
    }

    /**
     * The subject of messages of this topic.
     *
     * @throws InvalidMessageException if they are rejected; the text says why
     */
    String subjectOf(String topic) {
        return subjects.checked(
                subject.apply(OutboxMessage.builder(topic).type("check").build()));
    }

    Optional<String> expectedStream() {
        return expectedStream;
    }

    /**
     * The message that was published, by us or by another producer of CloudEvents.
     *
     * @throws InvalidMessageException if it is no CloudEvent; the text says what is missing
     */
    static OutboxMessage read(Message wire) {
        return readEvent(wire).message();
    }

    /** The same with the attributes, whose id is the producer's own. */
    static ReceivedEvent readEvent(Message wire) {
        Map<String, String> attributes = new LinkedHashMap<>();
        Map<String, String> plain = new LinkedHashMap<>();
        String contentType = OutboxMessage.DEFAULT_CONTENT_TYPE;
        for (Map.Entry<String, List<String>> header : headersOf(wire)) {
            String name = header.getKey();
            String lower = name.toLowerCase(Locale.ROOT);
            String value = HeaderText.decode(header.getValue().get(0));
            if (lower.startsWith(PREFIX)) {
                attributes.put(attributeOf(name), value);
            } else if (lower.equals(CONTENT_TYPE)) {
                contentType = value;
            } else if (!lower.startsWith(OF_THE_SERVER)) {
                plain.put(name, value);
            }
        }
        byte[] data = Optional.ofNullable(wire.getData()).orElse(new byte[0]);
        if (StructuredEvent.isStructured(contentType)) {
            StructuredEvent read = StructuredEvent.read(data, Headers.of(plain));
            return ReceivedEvent.of(read.attributes(), wire.getSubject(), read.key(), read.payload());
        }
        Optional<String> key = Optional.ofNullable(attributes.remove(StructuredEvent.KEY_ATTRIBUTE));
        CloudEventAttributes event = CloudEventAttributes.of(attributes, contentType, Headers.of(plain));
        return ReceivedEvent.of(event, wire.getSubject(), key, data);
    }

    /** Some libraries write {@code Ce-Id}, and mean the name in lower case; one that keeps the prefix as it is keeps the name too. */
    private static String attributeOf(String header) {
        String name = header.substring(PREFIX.length());
        String lower = name.toLowerCase(Locale.ROOT);
        return header.startsWith(PREFIX) && !SPECIFIED.contains(lower) ? name : lower;
    }

    private static Iterable<Map.Entry<String, List<String>>> headersOf(Message wire) {
        return wire.hasHeaders() ? wire.getHeaders().entrySet() : List.of();
    }
}
