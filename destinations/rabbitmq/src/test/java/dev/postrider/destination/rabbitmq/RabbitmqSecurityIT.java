package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Check;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Finding;
import dev.postrider.spi.Finding.Severity;
import dev.postrider.spi.Health;
import dev.postrider.testservers.PrivateRabbitmq;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody can do who writes topics and headers, or reads errors. */
class RabbitmqSecurityIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern PERMISSIONS =
            Pattern.compile("(?s)<!-- permissions -->\n```\nrabbitmqctl set_permissions -p / (\\S+) (.*?)\n```");

    private final PrivateRabbitmq server = Node.server();

    private static OutboxMessage.Builder message(String topic) {
        return OutboxMessage.builder(topic).type("com.example.Placed");
    }

    private static DeliveryResult send(RabbitmqDestinationBuilder builder, OutboxMessage message) {
        try (Destination destination = builder.build()) {
            CompletableFuture<DeliveryResult> sending =
                    destination.send(message).toCompletableFuture();
            assertThat(sending).succeedsWithin(SOON);
            return sending.join();
        }
    }

    private static String reason(DeliveryResult result) {
        return ((Failed) result).reason();
    }

    @Test
    void aTopicLeadsIntoNoQueuePastTheExchanges() {
        String queue = Node.newExchangeWithQueue();
        RabbitmqDestinationBuilder mapped =
                Node.destination().exchange(message -> "").routingKey(queue);

        DeliveryResult result = send(mapped, message("orders").build());

        assertThat(Node.messagesIn(queue, 0)).isEmpty();
        assertThat(result).isInstanceOf(Reject.class);
        assertThat(reason(result)).contains("default exchange", "allowInternalTopics");
        assertThat(send(mapped.allowInternalTopics(), message("orders").build()))
                .isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void sendsToExchangesOfTheBrokerOnlyWhereThatIsAllowed() {
        String queue = Node.newExchangeWithQueue();
        Node.inChannel(channel -> channel.queueBind(queue, "amq.topic", "Placed"));

        DeliveryResult result = send(Node.destination(), message("amq.topic").build());

        assertThat(result).isInstanceOf(Reject.class);
        assertThat(reason(result)).contains("amq.topic", "allowInternalTopics");
        assertThat(send(
                        Node.destination().allowInternalTopics(),
                        message("amq.topic").build()))
                .isEqualTo(DeliveryResult.DELIVERED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CC", "BCC", "x-death", "x-delivery-count", "x-first-death-queue", "x-postrider-attempts"})
    void aHeaderIsNoOrderToTheBroker(String name) {
        String exchange = Node.newExchangeWithQueue();
        OutboxMessage message = message(exchange).header(name, "other").build();

        for (EventMode mode : EventMode.values()) {
            DeliveryResult result = send(Node.destination().eventMode(mode), message);

            assertThat(result).isInstanceOf(Reject.class);
            assertThat(reason(result)).contains("'" + name + "'", "rename").doesNotContain("max_message_size");
        }
    }

    /** The mapping refuses such a header, so this goes around it: another header may meet the same answer, 406, one day. */
    @Test
    void saysWhatTheBrokerFindsWrongWithAMessage() {
        String exchange = Node.newExchangeWithQueue();
        BasicProperties properties =
                new BasicProperties.Builder().headers(Map.of("CC", "other")).build();

        try (RabbitmqDestination destination = Node.destination().build()) {
            CompletableFuture<DeliveryResult> sending = destination
                    .publish(new WireMessage(exchange, "key", properties, new byte[3]))
                    .toCompletableFuture();

            assertThat(sending).succeedsWithin(SOON).isInstanceOf(Reject.class);
            Reject reject = (Reject) sending.join();
            assertThat(reject.cause().orElseThrow()).hasMessageContaining("reply-code=406");
            assertThat(reject.reason())
                    .contains(exchange, "PRECONDITION_FAILED", "\"CC\"")
                    .doesNotContainIgnoringCase("large")
                    .doesNotContain("max_message_size");
        }
    }

    @Test
    void thePermissionsOfTheGuideAreEnoughAndAllowNoMore() throws Exception {
        Matcher guide = PERMISSIONS.matcher(Files.readString(Path.of("../../docs/guides/rabbitmq.md")));
        assertThat(guide.find()).isTrue();
        String[] permissions = guide.group(2).replace("'", "").split(" ");
        assertThat(permissions).hasSize(3);
        server.control("add_user", guide.group(1), "secret");
        server.control("set_permissions", guide.group(1), permissions[0], permissions[1], permissions[2]);
        String other = Node.newExchangeWithQueue();
        Node.inChannel(channel -> {
            channel.exchangeDeclare("orders", BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare("orders-queue", true, false, false, Map.of());
            return channel.queueBind("orders-queue", "orders", "#");
        });

        try (Destination relay =
                Node.destination().credentials(guide.group(1), "secret").build()) {
            assertThat(relay.send(message("orders").build()).toCompletableFuture())
                    .succeedsWithin(SOON)
                    .isEqualTo(DeliveryResult.DELIVERED);
            assertThat(relay.healthCheck()).isEqualTo(Health.UP);
            for (Check check : relay.checks(List.of("orders"))) {
                assertThat(check.run()).extracting(Finding::severity).doesNotContain(Severity.ERROR);
            }
            assertThat(relay.send(message(other).build()).toCompletableFuture())
                    .succeedsWithin(SOON)
                    .isInstanceOf(Failed.class);
        }
        RabbitmqDestinationBuilder injecting = Node.destination()
                .credentials(guide.group(1), "secret")
                .allowInternalTopics()
                .exchange(message -> "")
                .routingKey("orders-queue");
        assertThat(send(injecting, message("orders").build())).isInstanceOf(Failed.class);
        assertThat(Node.messagesIn("orders-queue", 1)).hasSize(1);
    }

    @Test
    void doctorTellsWhichTopicsAreRejected() throws Exception {
        try (Destination destination = Node.destination().build()) {
            List<Check> checks = destination.checks(List.of("amq.topic"));

            assertThat(checks).hasSize(1);
            assertThat(checks.get(0).run())
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.ERROR));
        }
    }

    @Test
    void namesAHostThatNobodyKnows() {
        RabbitmqDestinationBuilder unknown =
                RabbitmqDestination.builder("rabbit").uri("amqp://bob:s3cr3t@nosuch.invalid:5672/");

        assertThat(reason(send(unknown, message("orders").build())))
                .contains("host nosuch.invalid")
                .doesNotContain("s3cr3t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3cr3t word", "s3cr3t^", "s3cr3t%", "s3cr3t/x", "s3cr3t\"x", "s3cr3t@x", "s3cr3t:x"})
    void quotesNoAddressThatIsNone(String password) {
        assertThatThrownBy(() -> RabbitmqDestination.builder("rabbit").addresses("bob:" + password + "@localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("s3cr3t")
                .hasNoCause();
        if (!password.equals("s3cr3t:x")) {
            assertThatThrownBy(() -> RabbitmqDestination.builder("rabbit").uri("amqp://bob:" + password + "@localhost"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("s3cr3t")
                    .hasNoCause();
        }
    }

    static Stream<Object> forgedRecords() {
        return Stream.of(
                "text",
                List.of(1, 2),
                List.of("text"),
                List.of(Map.of("queue", "QUEUE", "reason", "rejected", "count", "many")),
                List.of(Map.of("queue", "QUEUE", "reason", "rejected", "count", 3L), "text"));
    }

    @ParameterizedTest
    @MethodSource("forgedRecords")
    void aForgedRecordOfDeathsCrashesNoQueue(Object record) {
        String queue = Node.newName();
        try (Subscribed subscribed =
                Subscribed.to(Node.access(RabbitmqReceiver.plain(queue)).declareTopology())) {
            Subscribed.publish(queue, forged("bad", record, queue));
            subscribed.next().park("unreadable");
            if (record instanceof List<?>) {
                subscribed.next().park("unreadable");
            }

            assertThat(Subscribed.take(queue + ".dlx").getProps().getHeaders().get("cloudEvents:id"))
                    .hasToString("bad");
            Subscribed.publish(queue, Subscribed.event("good").build());
            subscribed.next().acknowledge();
        } finally {
            Node.deleteQueues(queue, queue + ".dlx");
        }
    }

    @ParameterizedTest
    @MethodSource("forgedRecords")
    void aForgedRecordOfDeathsIsRetriedAndParked(Object record) {
        String queue = Node.newName();
        try (Subscribed subscribed = Subscribed.to(Node.access(RabbitmqReceiver.parkingLot(queue))
                .declareTopology()
                .retryPause(Duration.ofMillis(20))
                .maxRetries(5))) {
            Subscribed.publish(queue, forged("bad", record, queue));
            subscribed.next().retryLater("not yet");
            subscribed.next().park("unreadable");

            assertThat(Subscribed.take(queue + ".pl").getProps().getHeaders().get("cloudEvents:id"))
                    .hasToString("bad");
        } finally {
            Node.deleteQueues(queue, queue + ".wait", queue + ".pl");
        }
    }

    private static com.rabbitmq.client.AMQP.BasicProperties forged(String id, Object record, String queue) {
        Map<String, Object> headers = Subscribed.headers(id);
        headers.put("x-death", replaced(record, queue));
        return Subscribed.event(id).headers(headers).build();
    }

    private static Object replaced(Object value, String queue) {
        if (value instanceof List<?> list) {
            return list.stream().map(each -> replaced(each, queue)).toList();
        }
        if (value instanceof Map<?, ?> map) {
            return Map.of("queue", queue, "reason", "rejected", "count", map.get("count"));
        }
        return value;
    }
}
