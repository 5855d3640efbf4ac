package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.spi.ReceiverException;
import dev.postrider.testkit.TcpFaultProxy;
import dev.postrider.testkit.TcpFaultProxy.Direction;
import dev.postrider.testservers.PrivateRabbitmq;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the plain receiver does, and what both do when connections and brokers fail (A000-11, -12, -21 and -22 of the reference). */
class PlainQuirksIT {

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration QUIET = Duration.ofMillis(300);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final PrivateRabbitmq server = Node.server();
    private final String queue = Node.newName();
    private final TcpFaultProxy proxy = TcpFaultProxy.to(server.host(), server.port());

    @AfterEach
    void restore() {
        proxy.close();
        if (!server.isRunning()) {
            server.restart();
        }
        Node.deleteQueues(queue, queue + ".dlx");
    }

    private PlainReceiverBuilder plain() {
        return Node.access(RabbitmqReceiver.plain(queue)).retryPause(PAUSE, PAUSE);
    }

    private PlainReceiverBuilder behindProxy() {
        return Node.access(RabbitmqReceiver.plain(queue), proxy.port())
                .retryPause(PAUSE, PAUSE)
                .connectTimeout(Duration.ofSeconds(1))
                .declareTopology();
    }

    private void send(String id) {
        Subscribed.publish(queue, Subscribed.event(id).build());
    }

    @Test
    void declaresExactlyWhatOthersDeclare() {
        Subscribed.to(plain().declareTopology()).close();

        Node.inChannel(channel -> {
            // The broker refuses a declaration with other arguments.
            channel.exchangeDeclare(queue + ".dlx", BuiltinExchangeType.FANOUT, true, false, false, Map.of());
            channel.queueDeclare(queue + ".dlx", true, false, false, Map.of());
            channel.queueBind(queue + ".dlx", queue + ".dlx", "");
            return channel.queueDeclare(queue, true, false, false, Map.of("x-dead-letter-exchange", queue + ".dlx"));
        });
    }

    @Test
    void rejectsWhatCannotBeHandledToTheDeadLetters() {
        try (Subscribed subscribed = Subscribed.to(plain().declareTopology())) {
            send("bad");
            subscribed.next().park("unreadable");
            Subscribed.publish(queue, new BasicProperties());
            send("good");
            subscribed.next().acknowledge();

            assertThat(Subscribed.take(queue + ".dlx").getProps().getHeaders().get("cloudEvents:id"))
                    .hasToString("bad");
            assertThat(Subscribed.take(queue + ".dlx").getProps().getType()).isNull();
            assertThat(Subscribed.tryTake(queue + ".dlx", QUIET)).isEmpty();
        }
        assertThat(Subscribed.count(queue)).isZero();
    }

    @Test
    void bindsTheTypesOfTheSubscription() {
        String service = "example.books.v1";
        try (Subscribed subscribed =
                        Subscribed.to(plain().declareTopology().bindEvents().declareExchanges());
                Destination destination = Node.destination().build()) {
            OutboxMessage message =
                    OutboxMessage.builder(service).type(Subscribed.TYPE).build();
            OutboxMessage other =
                    OutboxMessage.builder(service).type(service + ".BookBurnt").build();

            assertThat(send(destination, message)).isEqualTo(DeliveryResult.DELIVERED);
            assertThat(send(destination, other)).isInstanceOf(DeliveryResult.Retry.class);

            assertThat(subscribed.next().message().id()).isEqualTo(message.id());
        } finally {
            Node.inChannel(channel -> channel.exchangeDelete(service));
        }
    }

    private static DeliveryResult send(Destination destination, OutboxMessage message) {
        return destination
                .send(message)
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    /** Sender and receiver have connections of their own: none can starve the other. */
    @Test
    void leavesRoomToPublishWhileItConsumes() {
        String exchange = Node.newExchangeWithQueue();
        try (Subscribed subscribed = Subscribed.to(plain().declareTopology().prefetch(1));
                Destination destination = Node.destination().build()) {
            send("1");
            Delivery delivery = subscribed.next();

            OutboxMessage answer =
                    OutboxMessage.builder(exchange).type("a.Answered").build();
            assertThat(send(destination, answer)).isEqualTo(DeliveryResult.DELIVERED);
            delivery.acknowledge();
        }
    }

    @Test
    void outlivesAnOutageOnAQueueWithADeliveryLimit() {
        Node.inChannel(channel -> channel.queueDeclare(
                queue, true, false, false, Map.of("x-queue-type", "quorum", "x-delivery-limit", 20)));
        PlainReceiverBuilder requeuing = Node.access(RabbitmqReceiver.plain(queue))
                .withoutDeadLetterExchange()
                .requeue();
        try (Subscribed subscribed = Subscribed.to(requeuing)) {
            send("1");
            long outageEnd = System.nanoTime() + Duration.ofMillis(1_500).toNanos();
            Delivery delivery = subscribed.next();
            while (System.nanoTime() - outageEnd < 0) {
                delivery.retryLater("the database is away");
                delivery = subscribed.next();
            }
            assertThat(delivery.attempt()).isBetween(3, 20);
            delivery.acknowledge();
        }
        assertThat(Subscribed.count(queue)).isZero();
    }

    @Test
    void goesOnWhenItsConnectionIsCut() {
        try (Subscribed subscribed = Subscribed.to(behindProxy())) {
            send("1");
            Delivery lost = subscribed.next();
            proxy.resetAll();
            lost.acknowledge();

            Delivery again = subscribed.next();
            assertThat(again.event().id()).isEqualTo("1");
            again.acknowledge();
            send("2");
            assertThat(subscribed.next().event().id()).isEqualTo("2");
            assertThat(subscribed.receiver().healthCheck()).isEqualTo(Health.UP);
        }
    }

    /** A handler that runs on when the connection is lost must not have its key overtaken by what arrives again. */
    @Test
    void handsOverNothingOfAKeyWhoseHandlerOutlivesTheConnection() {
        try (Subscribed subscribed = Subscribed.to(behindProxy())) {
            Map<String, Object> headers = Subscribed.headers("1");
            headers.put("cloudEvents:partitionkey", "book-1");
            Subscribed.publish(queue, Subscribed.event("1").headers(headers).build());
            Delivery running = subscribed.next();
            proxy.resetAll();
            send("other");
            assertThat(subscribed.next().event().id()).isEqualTo("other");
            assertThat(subscribed.next(QUIET)).isNull();

            running.acknowledge();

            Delivery again = subscribed.next();
            assertThat(again.event().id()).isEqualTo("1");
            again.acknowledge();
        }
    }

    @Test
    void noticesABrokerThatFellSilent() {
        PlainReceiverBuilder builder = behindProxy().customize(factory -> factory.setRequestedHeartbeat(1));
        try (Subscribed subscribed = Subscribed.to(builder)) {
            proxy.hold(Direction.TO_CLIENT);
            proxy.hold(Direction.TO_SERVER);
            awaitDown(subscribed);
            proxy.heal();
            send("1");

            assertThat(subscribed.next().event().id()).isEqualTo("1");
        }
    }

    private static void awaitDown(Subscribed subscribed) {
        long end = System.nanoTime() + SOON.toNanos();
        while (subscribed.receiver().healthCheck().equals(Health.UP)) {
            assertThat(System.nanoTime() - end).as("still up").isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void endsWithAnErrorWhenTheBrokerStaysAwayTooLong() {
        try (Subscribed subscribed = Subscribed.to(behindProxy().recoveryTimeout(Duration.ofMillis(300)))) {
            proxy.refuse();
            proxy.resetAll();

            assertThat(subscribed.receiver().termination().toCompletableFuture())
                    .failsWithin(SOON)
                    .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                    .withCauseInstanceOf(ReceiverException.class)
                    .withMessageContaining(queue)
                    .withMessageContaining("did not get it back");
            assertThat(subscribed.receiver().healthCheck()).isInstanceOf(Health.Down.class);
        }
    }

    @Test
    void consumesAnewWhenItsQueueWasDeleted() {
        try (Subscribed subscribed = Subscribed.to(plain().declareTopology())) {
            Node.deleteQueues(queue);
            awaitUpAgain();
            send("1");
            assertThat(subscribed.next().event().id()).isEqualTo("1");
        }
    }

    private void awaitUpAgain() {
        long end = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() - end < 0) {
            try {
                if (Node.inChannel(channel -> channel.consumerCount(queue)) == 1) {
                    return;
                }
            } catch (RuntimeException missing) {
                Thread.onSpinWait();
            }
        }
    }

    /** Such as one whose queue others delete again and again: it must not call on the broker without a pause. */
    @Test
    void survivesLosingItsConsumerManyTimesInARow() {
        try (Subscribed subscribed = Subscribed.to(plain().declareTopology())) {
            for (int i = 0; i < 5; i++) {
                awaitUpAgain();
                Node.deleteQueues(queue);
            }
            awaitUpAgain();
            send("1");
            assertThat(subscribed.next().event().id()).isEqualTo("1");
        }
    }

    @Test
    void goesOnAfterARestartOfTheBroker() {
        try (Subscribed subscribed = Subscribed.to(plain().declareTopology())) {
            send("1");
            subscribed.next();
            server.killHard();
            server.restart();

            assertThat(subscribed.next().event().id()).isEqualTo("1");
        }
    }

    @Test
    void givesBackAllThatItHoldsWhenItCloses() {
        try (Subscribed subscribed = Subscribed.to(plain().declareTopology().prefetch(7))) {
            Set<String> ids = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                ids.add("id-" + i);
                send("id-" + i);
            }
            subscribed.next().acknowledge();
            subscribed.next().retryLater("not yet");
            subscribed.next();
            assertThat(ids).hasSize(20);
        }
        assertThat(Subscribed.count(queue)).isEqualTo(19);
    }

    @Test
    void keepsOneConsumerBusyWhereOnlyOneMayBe() {
        Subscribed first = Subscribed.to(plain().declareTopology().singleActiveConsumer());
        try (Subscribed second = Subscribed.to(plain().declareTopology().singleActiveConsumer())) {
            send("1");
            first.next().acknowledge();
            send("2");
            first.next().acknowledge();
            assertThat(second.next(QUIET)).isNull();
            first.close();
            send("3");
            assertThat(second.next().event().id()).isEqualTo("3");
        }
    }

    @Test
    void saysWhyItCannotStart() {
        assertThatThrownBy(() -> Subscribed.to(plain().withoutDeadLetterExchange()))
                .isInstanceOf(ReceiverException.class)
                .hasMessageContaining(queue)
                .hasMessageContaining("declareTopology()");
        assertThatThrownBy(() -> Subscribed.to(plain().declareTopology().credentials("nobody", "wrong")))
                .isInstanceOf(ReceiverException.class)
                .hasMessageContaining("nobody");
        proxy.refuse();
        assertThatThrownBy(() -> Subscribed.to(behindProxy()))
                .isInstanceOf(ReceiverException.class)
                .hasMessageContaining("cannot be reached");
    }

    @Test
    void settlesUnderAnAlarmThatStopsPublishers() {
        try (Subscribed subscribed = Subscribed.to(plain().declareTopology())) {
            send("1");
            send("2");
            Delivery first = subscribed.next();
            server.raiseMemoryAlarm();
            try {
                first.acknowledge();
                subscribed.next().park("unreadable");
                assertThat(Subscribed.take(queue + ".dlx")).isNotNull();
            } finally {
                server.clearMemoryAlarm();
            }
        }
        assertThat(Subscribed.count(queue)).isZero();
    }
}
