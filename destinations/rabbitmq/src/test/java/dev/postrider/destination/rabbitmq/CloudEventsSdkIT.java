package dev.postrider.destination.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Subscription;
import dev.postrider.testkit.CloudEventsContract;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.format.EventFormat;
import io.cloudevents.core.provider.EventFormatProvider;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/**
 * The CloudEvents SDK for Java on the other side. It has no binding for AMQP 0-9-1, so the headers of binary mode are written here, by the
 * rules of the binding for AMQP.
 */
class CloudEventsSdkIT extends CloudEventsContract {

    private static final EventFormat JSON = EventFormatProvider.getInstance().resolveFormat(STRUCTURED);

    private final String exchange = Node.newExchangeWithQueue();

    @AfterEach
    void deleteQueues() {
        Node.deleteQueues(exchange);
    }

    @Override
    protected String topic() {
        return exchange;
    }

    @Override
    protected void receive(boolean isStructured, Consumer<Delivery> check) throws Exception {
        BasicProperties properties = isStructured
                ? new BasicProperties.Builder().contentType(STRUCTURED).build()
                : binary(event());
        byte[] body = isStructured ? JSON.serialize(event()) : DATA.getBytes(UTF_8);
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

            check.accept(delivery);
            delivery.acknowledge();
        }
    }

    private static CloudEvent event() {
        CloudEventBuilder event = CloudEventBuilder.v1().withData("application/json", DATA.getBytes(UTF_8));
        ATTRIBUTES.entrySet().stream()
                .filter(each -> !each.getKey().equals("specversion"))
                .forEach(each -> event.withContextAttribute(each.getKey(), each.getValue()));
        return event.withExtension("shard", 7).withExtension("isnew", true).build();
    }

    private static BasicProperties binary(CloudEvent event) {
        Map<String, Object> headers = new LinkedHashMap<>();
        for (String name : event.getAttributeNames()) {
            if (!name.equals("datacontenttype")) {
                headers.put("cloudEvents:" + name, event.getAttribute(name).toString());
            }
        }
        event.getExtensionNames().forEach(name -> headers.put("cloudEvents:" + name, event.getExtension(name)));
        return new BasicProperties.Builder()
                .contentType(event.getDataContentType())
                .headers(headers)
                .build();
    }

    @Override
    protected Map<String, String> read(OutboxMessage message) {
        try (RabbitmqDestination destination = Node.destination().build()) {
            assertThat(destination.send(message).toCompletableFuture().join()).isEqualTo(DeliveryResult.DELIVERED);
        }
        GetResponse got = Subscribed.take(exchange);
        assertThat(got.getProps().getMessageId()).isEqualTo("not-a-uuid-0");
        boolean isStructured = got.getProps().getContentType().startsWith(STRUCTURED);
        return texts(isStructured ? JSON.deserialize(got.getBody()) : fromHeaders(got));
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
