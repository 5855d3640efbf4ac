package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Outage;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.testkit.RelayUnderLoad;
import dev.postrider.testservers.PrivateRabbitmq;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only RabbitMQ does. */
class RabbitmqQuirksIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final PrivateRabbitmq server = Node.server();
    private final List<Destination> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(Destination::close);
    }

    private Destination open(RabbitmqDestinationBuilder builder) {
        Destination destination = builder.build();
        opened.add(destination);
        return destination;
    }

    private static OutboxMessage message(String exchange) {
        return OutboxMessage.builder(exchange).type("com.example.Placed").build();
    }

    private static DeliveryResult send(Destination destination, OutboxMessage message) {
        CompletableFuture<DeliveryResult> sending = destination.send(message).toCompletableFuture();
        assertThat(sending).succeedsWithin(SOON);
        return sending.join();
    }

    private static String reason(DeliveryResult result) {
        return ((Failed) result).reason();
    }

    private static List<DeliveryResult> sendAll(Destination destination, List<OutboxMessage> messages) {
        List<CompletableFuture<DeliveryResult>> sendings = messages.stream()
                .map(each -> destination.send(each).toCompletableFuture())
                .toList();
        return sendings.stream()
                .map(each -> {
                    assertThat(each).succeedsWithin(SOON);
                    return each.join();
                })
                .toList();
    }

    @Test
    void takesAReturnForAFailureThoughAConfirmFollows() {
        String bound = Node.newExchangeWithQueue();
        String unbound = Node.newExchange();
        Destination destination = open(Node.destination().channels(1));
        List<OutboxMessage> messages = IntStream.range(0, 200)
                .mapToObj(i -> message(i % 3 == 0 ? unbound : bound))
                .toList();

        List<DeliveryResult> results = sendAll(destination, messages);

        for (int i = 0; i < messages.size(); i++) {
            assertThat(results.get(i)).isInstanceOf(i % 3 == 0 ? Unavailable.class : DeliveryResult.Delivered.class);
        }
        assertThat(reason(results.get(0))).contains(unbound).contains("Placed").contains("bind");
    }

    @Test
    void blamesOnlyTheMessagesOfAnExchangeThatIsGone() {
        String kept = Node.newExchangeWithQueue();
        String gone = Node.newExchangeWithQueue();
        Destination destination = open(Node.destination().channels(1));
        assertThat(sendAll(destination, List.of(message(kept), message(gone)))).containsOnly(DeliveryResult.DELIVERED);
        Node.inChannel(channel -> channel.exchangeDelete(gone));
        List<OutboxMessage> messages = IntStream.range(0, 100)
                .mapToObj(i -> message(i == 50 || i == 70 ? gone : kept))
                .toList();

        List<DeliveryResult> results = sendAll(destination, messages);

        for (int i = 0; i < messages.size(); i++) {
            boolean isGone = messages.get(i).topic().equals(gone);
            assertThat(results.get(i)).isInstanceOf(isGone ? Unavailable.class : DeliveryResult.Delivered.class);
        }
        assertThat(reason(results.get(50))).contains(gone).contains("does not exist");
        List<MessageId> delivered = messages.stream()
                .filter(each -> each.topic().equals(kept))
                .map(OutboxMessage::id)
                .toList();
        assertThat(Node.messagesIn(kept, 99)).extracting(OutboxMessage::id).containsAll(delivered);
    }

    @Test
    void declaresAMissingExchangeOnlyWhereThatIsWanted() {
        String name = Node.newName();
        Destination plain = open(Node.destination());
        Destination declaring = open(Node.destination().declareExchanges());

        assertThat(reason(send(plain, message(name))))
                .contains("does not exist")
                .contains("declareExchanges");
        DeliveryResult unroutable = send(declaring, message(name));
        assertThat(reason(unroutable)).contains("No queue is bound");
        Node.inChannel(channel -> {
            channel.queueDeclare(name, true, false, false, Map.of());
            return channel.queueBind(name, name, "*");
        });

        assertThat(send(declaring, message(name))).isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void holdsAMissingPermissionAgainstItsOwnMessagesOnly() {
        String allowed = Node.newExchangeWithQueue();
        String forbidden = Node.newExchangeWithQueue();
        server.control("add_user", "limited", "secret");
        server.control("set_permissions", "limited", "", "^" + allowed + "$", ".*");
        Destination destination =
                open(Node.destination().credentials("limited", "secret").channels(1));
        List<OutboxMessage> messages = IntStream.range(0, 60)
                .mapToObj(i -> message(i % 20 == 10 ? forbidden : allowed))
                .toList();

        assertThat(destination.healthCheck()).isInstanceOf(Health.Up.class);
        for (int round = 0; round < 2; round++) {
            List<DeliveryResult> results = sendAll(destination, messages);
            for (int i = 0; i < messages.size(); i++) {
                assertThat(results.get(i))
                        .isInstanceOf(i % 20 == 10 ? Unavailable.class : DeliveryResult.Delivered.class);
            }
            assertThat(reason(results.get(10)))
                    .contains("limited")
                    .contains(forbidden)
                    .contains("permission");
        }
    }

    @Test
    void rejectsWhatTheBrokerFindsTooLargeAndNothingElse() {
        String exchange = Node.newExchangeWithQueue();
        server.control("eval", "application:set_env(rabbit, max_message_size, 10000).");
        try {
            Destination destination = open(Node.destination().channels(1));
            List<OutboxMessage> messages = IntStream.range(0, 40)
                    .mapToObj(i -> OutboxMessage.builder(exchange)
                            .type("t")
                            .payload(new byte[i == 20 ? 20_000 : 100])
                            .build())
                    .toList();

            List<DeliveryResult> results = sendAll(destination, messages);

            for (int i = 0; i < messages.size(); i++) {
                assertThat(results.get(i)).isInstanceOf(i == 20 ? Reject.class : DeliveryResult.Delivered.class);
            }
            assertThat(reason(results.get(20))).contains("message size 20000 is larger than configured max size 10000");
        } finally {
            server.control("eval", "application:set_env(rabbit, max_message_size, 134217728).");
        }
    }

    @Test
    void rejectsHeadersThatNoFrameHolds() {
        String exchange = Node.newExchangeWithQueue();
        Destination destination = open(Node.destination());
        OutboxMessage large = OutboxMessage.builder(exchange)
                .type("t")
                .header("large", "x".repeat(140_000))
                .build();

        DeliveryResult result = send(destination, large);

        assertThat(result).isInstanceOf(Reject.class);
        assertThat(reason(result)).contains("frame_max");
        assertThat(send(destination, message(exchange))).isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void triesAgainWhatAFullQueueRefused() {
        String full = Node.newExchangeWithQueue(Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        Destination destination = open(Node.destination());
        assertThat(send(destination, message(full))).isEqualTo(DeliveryResult.DELIVERED);

        DeliveryResult result = send(destination, message(full));

        assertThat(result).isInstanceOf(Unavailable.class);
        assertThat(reason(result)).contains(full).contains("full");
    }

    @Test
    void namesAVirtualHostThatIsNotThere() {
        Destination destination = open(Node.destination().virtualHost("nowhere"));

        DeliveryResult result = send(destination, message("orders"));

        assertThat(result).isInstanceOf(Outage.class);
        assertThat(reason(result)).contains("virtual host 'nowhere'");
    }

    @Test
    void usesTheNodeThatAnswers() {
        String exchange = Node.newExchangeWithQueue();
        Destination destination =
                open(Node.destination().addresses("127.0.0.1:1", server.host() + ":" + server.port()));

        assertThat(send(destination, message(exchange))).isEqualTo(DeliveryResult.DELIVERED);
    }

    private static void awaitDelivered(Destination destination, String exchange) {
        RelayUnderLoad.await(
                "a delivery", () -> send(destination, message(exchange)) instanceof DeliveryResult.Delivered);
    }

    @Test
    void endsWhatANodeThatStandsStillDoesNotAnswer() {
        String exchange = Node.newExchangeWithQueue();
        Destination destination = open(Node.destination().deliveryTimeout(Duration.ofSeconds(4)));
        awaitDelivered(destination, exchange);
        List<OutboxMessage> large = IntStream.range(0, 100)
                .mapToObj(i -> OutboxMessage.builder(exchange)
                        .type("t")
                        .payload(new byte[500_000])
                        .build())
                .toList();

        server.freeze();
        try {
            // More than sockets buffer: the publishing thread itself stands still.
            assertThat(sendAll(destination, large)).allMatch(Outage.class::isInstance);
            assertThat(destination.healthCheck()).isInstanceOf(Health.Down.class);
        } finally {
            server.thaw();
        }
        awaitDelivered(destination, exchange);
    }

    @Test
    void writesAttributesWhereConsumersInOtherLanguagesLook() {
        String exchange = Node.newExchangeWithQueue();
        Destination destination = open(Node.destination());
        OutboxMessage sent = OutboxMessage.builder(exchange)
                .type("com.example.Placed")
                .header("ce_tenant", "blue")
                .json("{}")
                .build();
        assertThat(send(destination, sent)).isEqualTo(DeliveryResult.DELIVERED);

        GetResponse got = Node.inChannel(channel -> channel.basicGet(exchange, true));

        assertThat(got.getEnvelope().getRoutingKey()).isEqualTo("Placed");
        assertThat(got.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(got.getProps().getMessageId()).isEqualTo(sent.id().toString());
        assertThat(got.getProps().getType()).isEqualTo("com.example.Placed");
        assertThat(got.getProps().getHeaders().get("cloudEvents:id"))
                .hasToString(sent.id().toString());
        assertThat(got.getProps().getHeaders().get("tenant")).hasToString("blue");
    }
}
