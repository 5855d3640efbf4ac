package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StructuredEvent;
import dev.postrider.spi.internal.ReceivedEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Turns a message into what goes over the wire, and back.
 *
 * <p>The one place that knows the form of events at RabbitMQ; {@link BinaryEvent} and {@link JsonEvent} are its two halves.
 * Stateless but for the options.
 */
final class EventMapping {

    static final EventMapping DEFAULT =
            new EventMapping(EventMode.BINARY, Routing.BY_TOPIC_AND_TYPE, "/postrider", true);

    private static final int PERSISTENT = 2;
    private static final int TRANSIENT = 1;

    private final EventMode mode;
    private final Routing routing;
    private final String defaultSource;
    private final int deliveryMode;

    EventMapping(EventMode mode, Routing routing, String defaultSource, boolean isPersistent) {
        this.mode = mode;
        this.routing = routing;
        this.defaultSource = defaultSource;
        this.deliveryMode = isPersistent ? PERSISTENT : TRANSIENT;
    }

    /**
     * What is published for this message.
     *
     * @throws dev.postrider.message.InvalidMessageException if it cannot be said in AMQP; the text names the field
     */
    WireMessage write(OutboxMessage message) {
        String exchange = routing.exchangeOf(message);
        String routingKey =
                AmqpText.shortString("routing key", routing.routingKey().apply(message));
        CloudEventAttributes event = CloudEventAttributes.of(message, defaultSource);
        BasicProperties.Builder properties = new BasicProperties.Builder()
                .messageId(AmqpText.shortString("id", event.id()))
                .type(AmqpText.shortString("type", event.type()))
                .deliveryMode(deliveryMode);
        boolean isStructured = mode == EventMode.STRUCTURED || StructuredEvent.isStructured(message.contentType());
        return isStructured
                ? new WireMessage(
                        exchange,
                        routingKey,
                        JsonEvent.properties(properties, event),
                        StructuredEvent.write(event, message),
                        message.key())
                : new WireMessage(
                        exchange,
                        routingKey,
                        BinaryEvent.properties(properties, event, message),
                        message.payload(),
                        message.key());
    }

    /** The message that was published; see {@link #readEvent}. */
    static OutboxMessage read(String exchange, BasicProperties properties, byte[] body) {
        return readEvent(exchange, properties, body).message();
    }

    /**
     * The exchange of messages of this topic; empty if that depends on more than the topic.
     *
     * @throws InvalidMessageException if they are rejected; the text says why
     */
    Optional<String> exchangeOf(String topic) {
        try {
            // The type has no dot, so that no exchange can be taken from it.
            return Optional.of(routing.exchangeOf(
                    OutboxMessage.builder(topic).type("check").build()));
        } catch (InvalidMessageException invalid) {
            if (invalid.field().equals("type")) {
                return Optional.empty();
            }
            throw invalid;
        }
    }

    /**
     * The event that was published, by us or by another producer of CloudEvents.
     *
     * @throws dev.postrider.message.InvalidMessageException if it is no CloudEvent; the text says what is missing
     */
    static ReceivedEvent readEvent(String exchange, BasicProperties properties, byte[] body) {
        String contentType = properties.getContentType();
        boolean isStructured = contentType != null && StructuredEvent.isStructured(contentType);
        return isStructured ? JsonEvent.read(exchange, properties, body) : BinaryEvent.read(exchange, properties, body);
    }

    /** CloudEvents in structured mode. Plain headers travel as AMQP headers beside the object. */
    private static final class JsonEvent {

        private JsonEvent() {}

        static BasicProperties properties(BasicProperties.Builder properties, CloudEventAttributes event) {
            Map<String, Object> headers = new LinkedHashMap<>();
            event.plainHeaders().asMap().forEach((name, value) -> headers.put(PlainHeaders.checkedName(name), value));
            return properties
                    .contentType(StructuredEvent.CONTENT_TYPE)
                    .headers(headers)
                    .build();
        }

        static ReceivedEvent read(String exchange, BasicProperties properties, byte[] body) {
            StructuredEvent read = StructuredEvent.read(body, plainHeaders(properties));
            return ReceivedEvent.of(read.attributes(), exchange, read.key(), read.payload());
        }

        private static Headers plainHeaders(BasicProperties properties) {
            Map<String, String> plain = new LinkedHashMap<>();
            Optional.ofNullable(properties.getHeaders())
                    .orElse(Map.of())
                    .forEach((name, value) -> AmqpText.text(value).ifPresent(text -> plain.put(name, text)));
            plain.keySet().removeIf(DeathRecord::isRecord);
            return Headers.of(plain);
        }
    }
}
