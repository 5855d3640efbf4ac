package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.Delivery;
import dev.postrider.testservers.PrivateRabbitmq;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queues, exchanges and room that are missing when a message is to be parked or to wait: it is kept until they are back (A000-14). */
class ParkingLotFaultsIT {

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration QUIET = Duration.ofMillis(300);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final PrivateRabbitmq server = Node.server();
    private final String queue = Node.newName();

    @AfterEach
    void deleteQueues() {
        Node.deleteQueues(queue, queue + ".wait", queue + ".pl");
        Node.inChannel(channel -> channel.exchangeDelete(queue + ".dlx"));
    }

    private ParkingLotReceiverBuilder parkingLot() {
        return Node.access(RabbitmqReceiver.parkingLot(queue)).retryPause(PAUSE);
    }

    private void send(String id) {
        Subscribed.publish(queue, Subscribed.event(id).build());
    }

    @Test
    void keepsWhatItCannotParkUntilThereIsAParkingLotAgain() {
        Subscribed.to(parkingLot().declareTopology()).close();
        try (Subscribed subscribed = Subscribed.to(parkingLot())) {
            Node.deleteQueues(queue + ".pl");
            send("1");
            subscribed.next().park("unreadable");
            assertThat(subscribed.next(QUIET)).isNull();

            Node.inChannel(channel -> {
                channel.queueDeclare(queue + ".pl", true, false, false, Map.of());
                return channel.queueBind(queue + ".pl", queue + ".dlx", "parkingLot");
            });

            assertThat(Subscribed.take(queue + ".pl").getProps().getHeaders().get("cloudEvents:id"))
                    .hasToString("1");
        }
        Subscribed.awaitCount(queue, 0);
    }

    @Test
    void declaresADeletedParkingLotAgainWhereItDeclaresAtAll() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            Node.deleteQueues(queue + ".pl");
            send("1");
            subscribed.next().park("unreadable");
            awaitQueue(queue + ".pl");

            assertThat(Subscribed.take(queue + ".pl")).isNotNull();
        }
    }

    private static void awaitQueue(String name) {
        long end = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() - end < 0) {
            try {
                Node.inChannel(channel -> channel.queueDeclarePassive(name));
                return;
            } catch (RuntimeException notYet) {
                Thread.onSpinWait();
            }
        }
        throw new AssertionError("There is no queue " + name + " after " + SOON);
    }

    /** With room for one message only, one that was never let go of would be the last. */
    @Test
    void goesOnAfterItsConnectionWasLostWhileAMessageWaitedToBeParked() {
        try (TcpFaultProxy proxy = TcpFaultProxy.to(server.host(), server.port());
                Subscribed subscribed = Subscribed.to(Node.access(RabbitmqReceiver.parkingLot(queue), proxy.port())
                        .prefetch(1)
                        .declareTopology())) {
            Node.deleteQueues(queue + ".pl");
            send("1");
            subscribed.next().park("unreadable");
            assertThat(subscribed.next(Duration.ofMillis(100))).isNull();
            proxy.resetAll();
            send("2");

            Delivery next = subscribed.next();
            while (!next.event().id().equals("2")) {
                next.park("unreadable");
                next = subscribed.next();
            }
            next.acknowledge();
        }
    }

    @Test
    void givesBackWhatItCouldNotParkBeforeItClosed() {
        Subscribed.to(parkingLot().declareTopology()).close();
        try (Subscribed subscribed = Subscribed.to(parkingLot())) {
            Node.deleteQueues(queue + ".pl");
            send("1");
            subscribed.next().park("unreadable");
        }
        assertThat(Subscribed.take(queue).getProps().getHeaders().get("cloudEvents:id"))
                .hasToString("1");
    }

    @Test
    void retriesThoughWaitingQueueAndExchangeWereDeleted() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            send("1");
            Delivery first = subscribed.next();
            Node.deleteQueues(queue + ".wait");
            first.retryLater("not yet");
            Delivery second = subscribed.next();
            assertThat(second.attempt()).isEqualTo(2);
            Node.inChannel(channel -> channel.exchangeDelete(queue + ".dlx"));
            second.retryLater("not yet");

            Delivery third = subscribed.next();
            assertThat(third.attempt()).isEqualTo(3);
            third.acknowledge();
        }
        Subscribed.awaitCount(queue, 0);
    }

    @Test
    void keepsWhatCannotWaitUntilThereIsAWaitingQueueAgain() {
        Subscribed.to(parkingLot().declareTopology()).close();
        try (Subscribed subscribed = Subscribed.to(parkingLot())) {
            send("1");
            Delivery first = subscribed.next();
            Node.deleteQueues(queue + ".wait");
            first.retryLater("not yet");
            assertThat(subscribed.next(QUIET)).isNull();

            Subscribed.to(parkingLot().declareTopology().prefetch(1)).close();

            Delivery second = subscribed.next();
            assertThat(second.event().id()).isEqualTo("1");
            assertThat(second.attempt()).isEqualTo(2);
            second.acknowledge();
        }
    }

    /** The broker takes no messages, but answers and acknowledgements; a message that left its queue now would be nowhere. */
    @Test
    void parksAndRetriesOnlyWhenAnAlarmOfTheBrokerIsOver() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            send("parked");
            send("retried");
            Delivery first = subscribed.next();
            Delivery second = subscribed.next();
            server.raiseMemoryAlarm();
            try {
                first.park("unreadable");
                second.retryLater("not yet");
                assertThat(subscribed.next(QUIET)).isNull();
                assertThat(Subscribed.count(queue + ".pl")).isZero();
            } finally {
                server.clearMemoryAlarm();
            }

            assertThat(Subscribed.take(queue + ".pl").getProps().getHeaders().get("cloudEvents:id"))
                    .hasToString("parked");
            Delivery again = subscribed.next();
            assertThat(again.event().id()).isEqualTo("retried");
            again.acknowledge();
        }
        Subscribed.awaitCount(queue, 0);
    }

    @Test
    void givesBackWhatItCouldNotParkUnderAnAlarmBeforeItClosed() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            send("1");
            Delivery delivery = subscribed.next();
            server.raiseMemoryAlarm();
            delivery.park("unreadable");
        } finally {
            server.clearMemoryAlarm();
        }
        assertThat(Subscribed.take(queue).getProps().getHeaders().get("cloudEvents:id"))
                .hasToString("1");
    }
}
