package dev.postrider.destination.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Subscription;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.format.EventFormat;
import io.cloudevents.core.provider.EventFormatProvider;
import java.net.URI;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The CloudEvents SDK for Java on the other side, in both directions. It has no binding for AMQP 0-9-1, so the headers of binary mode are
 * written here, by the rules of the binding for AMQP.
 */
class CloudEventsSdkIT {

    private static final String STRUCTURED = "application/cloudevents+json";
    private static final EventFormat JSON = EventFormatProvider.getInstance().resolveFormat(STRUCTURED);

    private static final CloudEvent EVENT = CloudEventBuilder.v1()
            .withId("not-a-uuid-0")
            .withSource(URI.create("/shop"))
            .withType("com.example.OrderPlaced")
            .withSubject("17")
            .withTime(OffsetDateTime.parse("2026-01-31T12:00:00.5+01:00"))
            .withDataSchema(URI.create("https://example.com/order"))
            .withExtension("tenant", "blue")
            .withExtension("shard", 7)
            .withExtension("isnew", true)
            .withData("application/json", "{\"total\":1.50}".getBytes(UTF_8))
            .build();

    private final String exchange = Node.newExchangeWithQueue();

    private static BasicProperties binary() {
        Map<String, Object> headers = new LinkedHashMap<>();
        for (String name : EVENT.getAttributeNames()) {
            if (!name.equals("datacontenttype")) {
                headers.put("cloudEvents:" + name, EVENT.getAttribute(name).toString());
            }
        }
        EVENT.getExtensionNames().forEach(name -> headers.put("cloudEvents:" + name, EVENT.getExtension(name)));
        return new BasicProperties.Builder()
                .contentType(EVENT.getDataContentType())
                .headers(headers)
                .build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void handsOverItsEventUnchanged(boolean isStructured) throws Exception {
        BasicProperties properties = isStructured
                ? new BasicProperties.Builder().contentType(STRUCTURED).build()
                : binary();
        byte[] body = isStructured ? JSON.serialize(EVENT) : EVENT.getData().toBytes();
        BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
        try (RabbitmqReceiver receiver = Node.access(RabbitmqReceiver.plain(exchange))
                .withoutDeadLetterExchange()
                .build()) {
            receiver.start(Subscription.toAll("test"), deliveries::add);
            Node.inChannel(channel -> {
                channel.basicPublish(exchange, "OrderPlaced", properties, body);
                return exchange;
            });

            Delivery delivery = deliveries.poll(30, TimeUnit.SECONDS);

            assertThat(delivery.message().id().text()).isEqualTo("not-a-uuid-0");
            assertThat(delivery.message().payload()).asString(UTF_8).isEqualTo("{\"total\":1.50}");
            assertSame(delivery.event());
            delivery.acknowledge();
        } finally {
            Node.deleteQueues(exchange);
        }
    }

    private static void assertSame(CloudEventAttributes event) {
        assertThat(event.dataContentType()).isEqualTo("application/json");
        assertThat(event.asMap())
                .containsOnly(
                        Map.entry("specversion", "1.0"),
                        Map.entry("id", "not-a-uuid-0"),
                        Map.entry("source", "/shop"),
                        Map.entry("type", "com.example.OrderPlaced"),
                        Map.entry("subject", "17"),
                        Map.entry("time", event.time().orElse("")),
                        Map.entry("dataschema", "https://example.com/order"),
                        Map.entry("tenant", "blue"),
                        Map.entry("shard", "7"),
                        Map.entry("isnew", "true"));
        assertThat(OffsetDateTime.parse(event.time().orElseThrow())).isEqualTo(EVENT.getTime());
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", STRUCTURED})
    void sendsAnEventThatItReads(String contentType) {
        OutboxMessage message = OutboxMessage.builder(exchange)
                .id(MessageId.of("not-a-uuid-0"))
                .type("com.example.OrderPlaced")
                .contentType(contentType)
                .header(Headers.SOURCE, "/shop")
                .header(Headers.SUBJECT, "17")
                .header(Headers.TIME, "2026-01-31T12:00:00.5+01:00")
                .header(Headers.DATA_SCHEMA, "https://example.com/order")
                .header("ce_tenant", "blue")
                .payload("{\"total\":15}".getBytes(UTF_8))
                .build();
        try (RabbitmqDestination destination = Node.destination().build()) {
            assertThat(destination.send(message).toCompletableFuture().join()).isEqualTo(DeliveryResult.DELIVERED);
        }

        GetResponse got = Subscribed.take(exchange);
        Node.deleteQueues(exchange);
        CloudEvent read = contentType.equals(STRUCTURED) ? JSON.deserialize(got.getBody()) : fromHeaders(got);

        assertThat(got.getProps().getMessageId()).isEqualTo("not-a-uuid-0");
        assertThat(read.getId()).isEqualTo("not-a-uuid-0");
        assertThat(read.getSource()).isEqualTo(EVENT.getSource());
        assertThat(read.getType()).isEqualTo(EVENT.getType());
        assertThat(read.getSubject()).isEqualTo("17");
        assertThat(read.getTime()).isEqualTo(EVENT.getTime());
        assertThat(read.getDataSchema()).isEqualTo(EVENT.getDataSchema());
        assertThat(read.getDataContentType()).isEqualTo("application/json");
        assertThat(read.getExtension("tenant")).isEqualTo("blue");
        assertThat(read.getData().toBytes()).asString(UTF_8).isEqualTo("{\"total\":15}");
    }

    /** As a reader of the binding for AMQP does: every attribute but the content type is a header with the prefix. */
    private static CloudEvent fromHeaders(GetResponse got) {
        CloudEventBuilder event = CloudEventBuilder.v1();
        got.getProps().getHeaders().forEach((name, value) -> {
            if (name.startsWith("cloudEvents:") && !name.equals("cloudEvents:specversion")) {
                event.withContextAttribute(name.substring("cloudEvents:".length()), value.toString());
            }
        });
        return event.withData(got.getProps().getContentType(), got.getBody()).build();
    }
}
