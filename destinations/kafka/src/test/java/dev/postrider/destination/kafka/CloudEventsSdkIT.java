package dev.postrider.destination.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Headers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URI;
import java.time.OffsetDateTime;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The CloudEvents SDK for Java on the other side, in both directions. */
class CloudEventsSdkIT {

    private static final String STRUCTURED = "application/cloudevents+json";
    private static final byte[] KEY = "order-17".getBytes(UTF_8);

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

    private final Broker broker = Servers.kafka();
    private final String servers = broker.host() + ":" + broker.port();
    private final KafkaReceiverFixture fixture = new KafkaReceiverFixture(servers);

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void handsOverItsEventUnchanged(boolean isStructured) throws Exception {
        var writer = KafkaMessageFactory.createWriter(fixture.topic(), KEY);
        ProducerRecord<byte[], byte[]> record =
                isStructured ? writer.writeStructured(EVENT, STRUCTURED) : writer.writeBinary(EVENT);
        try (KafkaReceiver receiver = fixture.builder().build()) {
            fixture.producer().send(record);

            Delivery delivery = Deliveries.of(receiver).next();

            assertThat(delivery.message().id().text()).isEqualTo("not-a-uuid-0");
            assertThat(delivery.message().key()).contains("order-17");
            assertThat(delivery.message().payload()).asString(UTF_8).isEqualTo("{\"total\":1.50}");
            assertThat(delivery.event().dataContentType()).isEqualTo("application/json");
            assertThat(delivery.event().asMap())
                    .containsOnly(
                            Map.entry("specversion", "1.0"),
                            Map.entry("id", "not-a-uuid-0"),
                            Map.entry("source", "/shop"),
                            Map.entry("type", "com.example.OrderPlaced"),
                            Map.entry("subject", "17"),
                            Map.entry("time", "2026-01-31T12:00:00.5+01:00"),
                            Map.entry("dataschema", "https://example.com/order"),
                            Map.entry("tenant", "blue"),
                            Map.entry("shard", "7"),
                            Map.entry("isnew", "true"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", STRUCTURED})
    void sendsAnEventThatItReads(String contentType) {
        OutboxMessage message = OutboxMessage.builder(fixture.topic())
                .id(MessageId.of("not-a-uuid-0"))
                .type("com.example.OrderPlaced")
                .key("order-17")
                .contentType(contentType)
                .header(Headers.SOURCE, "/shop")
                .header(Headers.SUBJECT, "17")
                .header(Headers.TIME, "2026-01-31T12:00:00.5+01:00")
                .header(Headers.DATA_SCHEMA, "https://example.com/order")
                .header("ce_tenant", "blue")
                .payload("{\"total\":15}".getBytes(UTF_8))
                .build();
        try (KafkaDestination destination =
                KafkaDestination.builder("kafka", servers).build()) {
            assertThat(destination.send(message).toCompletableFuture().join()).isEqualTo(DeliveryResult.DELIVERED);
        }

        ConsumerRecord<byte[], byte[]> record =
                fixture.topics().records(fixture.topic(), 1).get(0);
        CloudEvent read = KafkaMessageFactory.createReader(record).toEvent();

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
}
