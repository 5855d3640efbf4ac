package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.EventTopics;
import dev.postrider.spi.ReceiverException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the plain receiver does (A000-11, -12 and -21 of the reference). */
class PlainQuirksIT extends PlainReceiverCase {

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
            assertThat(send(destination, other)).isInstanceOf(DeliveryResult.Unavailable.class);

            assertThat(subscribed.next().message().id()).isEqualTo(message.id());
        } finally {
            Node.inChannel(channel -> channel.exchangeDelete(service));
        }
    }

    /** So that a publisher can start after it, whichever events are subscribed. */
    @Test
    void declaresTheExchangesOfServicesItIsNotBoundTo() {
        String exchange = Node.newName();
        EventTopics service = () -> Map.of("example.sales.v1.BookSold", exchange);
        try {
            Subscribed.to(plain().declareTopology().bindEvents().declareExchanges(List.of(service)))
                    .close();
            Node.inChannel(channel -> channel.exchangeDeclarePassive(exchange));
            Node.inChannel(channel -> channel.exchangeDeclarePassive("example.books.v1"));
        } finally {
            Node.inChannel(channel -> channel.exchangeDelete(exchange));
            Node.inChannel(channel -> channel.exchangeDelete("example.books.v1"));
        }
    }

    @Test
    void handsOverEventsOfOneSubjectOneAtATimeIfItIsTheKey() {
        try (Subscribed subscribed = Subscribed.to(plain().declareTopology().keyAttribute("subject"))) {
            sendAbout("1", "book-1");
            sendAbout("2", "book-1");
            sendAbout("3", "book-2");

            Delivery first = subscribed.next();
            Delivery third = subscribed.next();
            assertThat(first.message().id().text()).isEqualTo("1");
            assertThat(third.message().id().text()).isEqualTo("3");
            assertThat(subscribed.next(QUIET)).isNull();
            first.acknowledge();
            assertThat(subscribed.next().message().id().text()).isEqualTo("2");
        }
    }

    private void sendAbout(String id, String subject) {
        Map<String, Object> headers = Subscribed.headers(id);
        headers.put("cloudEvents:subject", subject);
        Subscribed.publish(queue, Subscribed.event(id).headers(headers).build());
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
            while (System.nanoTime() - outageEnd < 0 || delivery.attempt() < 3) {
                delivery.retryLater("the database is away");
                delivery = subscribed.next();
            }
            assertThat(delivery.attempt()).isLessThanOrEqualTo(20);
            delivery.acknowledge();
        }
        assertThat(Subscribed.count(queue)).isZero();
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
        Subscribed.awaitCount(queue, 19);
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
