package dev.postrider.destination.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.CloudEventsContract;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;

/** The CloudEvents SDK for Java on the other side. */
class CloudEventsSdkIT extends CloudEventsContract {

    private final Broker broker = Servers.kafka();
    private final String servers = broker.host() + ":" + broker.port();
    private final KafkaReceiverFixture fixture = new KafkaReceiverFixture(servers);

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    @Override
    protected String topic() {
        return fixture.topic();
    }

    @Override
    protected void receive(boolean isStructured, Consumer<Delivery> check) throws Exception {
        var writer = KafkaMessageFactory.createWriter(fixture.topic(), "order-17".getBytes(UTF_8));
        ProducerRecord<byte[], byte[]> record =
                isStructured ? writer.writeStructured(event(), STRUCTURED) : writer.writeBinary(event());
        try (KafkaReceiver receiver = fixture.builder().build()) {
            fixture.producer().send(record);

            Delivery delivery = Deliveries.of(receiver).next();

            check.accept(delivery);
            assertThat(delivery.message().key()).contains("order-17");
        }
    }

    private static CloudEvent event() {
        CloudEventBuilder event = CloudEventBuilder.v1().withData("application/json", DATA.getBytes(UTF_8));
        ATTRIBUTES.entrySet().stream()
                .filter(each -> !each.getKey().equals("specversion"))
                .forEach(each -> event.withContextAttribute(each.getKey(), each.getValue()));
        return event.withExtension("shard", 7).withExtension("isnew", true).build();
    }

    @Override
    protected Map<String, String> read(OutboxMessage message) {
        try (KafkaDestination destination =
                KafkaDestination.builder("kafka", servers).build()) {
            assertThat(destination.send(message).toCompletableFuture().join()).isEqualTo(DeliveryResult.DELIVERED);
        }
        ConsumerRecord<byte[], byte[]> record =
                fixture.topics().records(fixture.topic(), 1).get(0);
        return texts(KafkaMessageFactory.createReader(record).toEvent());
    }

    private static Map<String, String> texts(CloudEvent event) {
        Map<String, String> texts = new HashMap<>();
        event.getAttributeNames()
                .forEach(name -> texts.put(name, event.getAttribute(name).toString()));
        event.getExtensionNames()
                .forEach(name -> texts.put(name, event.getExtension(name).toString()));
        texts.put("data", new String(event.getData().toBytes(), UTF_8));
        return texts;
    }
}
