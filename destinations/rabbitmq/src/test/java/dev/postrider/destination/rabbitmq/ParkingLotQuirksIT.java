package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import dev.postrider.spi.ReceiverException;
import dev.postrider.testkit.RecordedReceptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only the receiver with a parking lot does (behaviours A000-13 and A000-14 of the reference). */
class ParkingLotQuirksIT {

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final String queue = Node.newName();

    @AfterEach
    void deleteQueues() {
        Node.deleteQueues(queue, queue + ".wait", queue + ".pl");
        Node.inChannel(channel -> channel.exchangeDelete(queue + ".dlx"));
    }

    private ParkingLotReceiverBuilder parkingLot() {
        return Node.access(RabbitmqReceiver.parkingLot(queue)).retryPause(PAUSE);
    }

    /** As the existing bus declares it: names, types, arguments and bindings. */
    private void declareAsOthersDo(Channel channel) throws IOException {
        String exchange = queue + ".dlx";
        channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true, false, false, Map.of());
        channel.queueDeclare(
                queue + ".wait",
                true,
                false,
                false,
                Map.of(
                        "x-dead-letter-exchange",
                        exchange,
                        "x-dead-letter-routing-key",
                        "retry",
                        "x-message-ttl",
                        PAUSE.toMillis()));
        channel.queueDeclare(queue + ".pl", true, false, false, Map.of());
        channel.queueDeclare(
                queue,
                true,
                false,
                false,
                Map.of("x-dead-letter-exchange", exchange, "x-dead-letter-routing-key", "wait"));
        channel.queueBind(queue + ".wait", exchange, "wait");
        channel.queueBind(queue, exchange, "retry");
        channel.queueBind(queue + ".pl", exchange, "parkingLot");
    }

    @Test
    void declaresExactlyWhatOthersDeclare() {
        Subscribed.to(parkingLot().declareTopology()).close();

        Node.inChannel(channel -> {
            // The broker refuses a declaration with other arguments.
            declareAsOthersDo(channel);
            return queue;
        });
        Subscribed.publish(queue + ".dlx", "parkingLot", Subscribed.event("1").build(), "{}");
        Subscribed.publish(queue + ".dlx", "wait", Subscribed.event("2").build(), "{}");
        assertThat(Subscribed.take(queue + ".pl").getProps().getHeaders().get("cloudEvents:id"))
                .hasToString("1");
        assertThat(Subscribed.take(queue).getProps().getHeaders().get("cloudEvents:id"))
                .hasToString("2");
    }

    @Test
    void worksWithWhatOthersHaveDeclared() {
        Node.inChannel(channel -> {
            declareAsOthersDo(channel);
            return queue;
        });
        try (Subscribed subscribed = Subscribed.to(parkingLot())) {
            Subscribed.publish(queue, Subscribed.event("1").build());
            subscribed.next().park("unreadable");
            assertThat(Subscribed.take(queue + ".pl")).isNotNull();
        }
    }

    @Test
    void saysWhatIsMissingOrDifferentAtTheStart() {
        assertThatThrownBy(() -> Subscribed.to(parkingLot()))
                .isInstanceOf(ReceiverException.class)
                .hasMessageContaining(queue + ".dlx")
                .hasMessageContaining("declareTopology()");
        Subscribed.to(parkingLot().declareTopology()).close();

        assertThatThrownBy(() -> Subscribed.to(parkingLot().declareTopology().retryPause(PAUSE.multipliedBy(2))))
                .isInstanceOf(ReceiverException.class)
                .hasMessageContaining(queue + ".wait")
                .hasMessageContaining("another form");
        assertThatThrownBy(() -> Subscribed.to(parkingLot().declareTopology().bindEvents()))
                .isInstanceOf(ReceiverException.class)
                .hasMessageContaining("example.books.v1")
                .hasMessageContaining("BookCreated")
                .hasMessageContaining("declareExchanges()");
    }

    @Test
    void parksWithEverythingThatTheMessageHad() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            Map<String, Object> headers = Subscribed.headers("1");
            headers.put("tenant", "blue");
            headers.put("table", Map.of("a", 1));
            Date sent = new Date(1_700_000_000_000L);
            Subscribed.publish(
                    "",
                    queue,
                    Subscribed.event("1")
                            .headers(headers)
                            .contentEncoding("identity")
                            .correlationId("c-1")
                            .messageId("m-1")
                            .priority(4)
                            .replyTo("r")
                            .appId("books")
                            .timestamp(sent)
                            .build(),
                    "{\"isbn\":1}");

            subscribed.next().park("the book has no title");

            GetResponse parked = Subscribed.take(queue + ".pl");
            BasicProperties properties = parked.getProps();
            assertThat(parked.getBody()).asString(StandardCharsets.UTF_8).isEqualTo("{\"isbn\":1}");
            assertThat(properties.getType()).isEqualTo(Subscribed.TYPE);
            assertThat(properties.getContentType()).isEqualTo("application/json");
            assertThat(properties.getContentEncoding()).isEqualTo("identity");
            assertThat(properties.getDeliveryMode()).isEqualTo(2);
            assertThat(properties.getCorrelationId()).isEqualTo("c-1");
            assertThat(properties.getMessageId()).isEqualTo("m-1");
            assertThat(properties.getPriority()).isEqualTo(4);
            assertThat(properties.getReplyTo()).isEqualTo("r");
            assertThat(properties.getAppId()).isEqualTo("books");
            assertThat(properties.getTimestamp()).isEqualTo(sent);
            assertThat(properties.getHeaders()).containsKeys("cloudEvents:id", "tenant", "table");
            assertThat(properties.getHeaders().get("x-postrider-parked-reason")).hasToString("the book has no title");
            assertThat(Subscribed.read(parked).headers().asMap()).doesNotContainKey("x-postrider-parked-reason");
        }
    }

    @Test
    void parksWhatIsNoEventWithoutHandingItOver() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            Subscribed.publish(queue, new BasicProperties());
            Map<String, Object> withoutSource = Subscribed.headers("1");
            withoutSource.remove("cloudEvents:source");
            Subscribed.publish(
                    queue, Subscribed.event("1").headers(withoutSource).build());
            Subscribed.publish(
                    "",
                    queue,
                    new BasicProperties.Builder()
                            .contentType("application/cloudevents+json")
                            .build(),
                    "[{]");
            Subscribed.publish(queue, Subscribed.event("good").build());

            assertThat(subscribed.next().event().id()).isEqualTo("good");
            List<String> reasons = IntStream.range(0, 3)
                    .mapToObj(i -> Subscribed.take(queue + ".pl").getProps().getHeaders())
                    .map(headers -> headers.get("x-postrider-parked-reason").toString())
                    .toList();
            assertThat(reasons)
                    .allMatch(reason -> reason.startsWith("It is no event"))
                    .hasSize(3);
        }
    }

    @Test
    void parksWhatHasTooManyHeadersForAReasonBeside() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            Map<String, Object> headers = Subscribed.headers("1");
            headers.put("large", "x".repeat(130_700));
            Subscribed.publish(queue, Subscribed.event("1").headers(headers).build());

            subscribed.next().park("unreadable ".repeat(100));

            assertThat(Subscribed.take(queue + ".pl").getProps().getHeaders()).containsKey("large");
        }
    }

    @Test
    void tellsItsListenerOfAMessageThatIsNoEvent() {
        RecordedReceptions receptions = new RecordedReceptions();
        try (Subscribed subscribed =
                Subscribed.to(parkingLot().declareTopology().listener(receptions))) {
            Subscribed.publish(queue, new BasicProperties());

            assertThat(Subscribed.take(queue + ".pl")).isNotNull();
            assertThat(receptions.reports()).containsExactly("parked");
            assertThat(subscribed.receiver().termination().toCompletableFuture())
                    .isNotDone();
        }
    }
}
