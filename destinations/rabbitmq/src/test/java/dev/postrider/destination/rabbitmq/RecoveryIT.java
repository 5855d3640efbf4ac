package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.servers.TcpFaultProxy.Direction;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Health;
import dev.postrider.spi.ReceiverException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Connections, brokers and queues that go away: a receiver is back, or says that it is not (A000-10 and -22 of the reference). */
class RecoveryIT extends PlainReceiverCase {

    private static final Duration SOON = Duration.ofSeconds(30);

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

    /** As it does with a consumer that holds a message for too long; the connection stays as it is. */
    @Test
    void goesOnWhenTheBrokerClosesItsChannel() {
        letChannelsHoldMessagesFor(500);
        try (Subscribed subscribed = Subscribed.to(plain().declareTopology())) {
            send("1");
            assertThat(subscribed.next().attempt()).isEqualTo(1);
            letChannelsHoldMessagesFor(1_800_000);

            Delivery again = subscribed.next();
            assertThat(again.event().id()).isEqualTo("1");
            again.acknowledge();
        } finally {
            letChannelsHoldMessagesFor(1_800_000);
        }
    }

    /** Channels that are opened from now on look often enough. */
    private void letChannelsHoldMessagesFor(int millis) {
        server.control(
                "eval",
                "application:set_env(rabbit, channel_tick_interval, 200), application:set_env(rabbit, consumer_timeout, %d)."
                        .formatted(millis));
    }

    @Test
    void endsWithAnErrorWhenTheBrokerStaysAwayTooLong() {
        try (Subscribed subscribed = Subscribed.to(behindProxy().recoveryTimeout(Duration.ofMillis(300)))) {
            proxy.refuse();
            proxy.resetAll();

            assertThat(subscribed.receiver().termination().toCompletableFuture())
                    .failsWithin(SOON)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(ReceiverException.class)
                    .withMessageContaining(queue)
                    .withMessageContaining("did not get it back");
            assertThat(subscribed.receiver().healthCheck()).isInstanceOf(Health.Down.class);
        }
    }

    @Test
    void isBackAfterAnOutageOfAnyLengthByDefault() throws InterruptedException {
        AtomicLong jump = new AtomicLong();
        Semaphore looksAtTheClock = new Semaphore(0);
        PlainReceiverBuilder builder = behindProxy().nanoTime(() -> {
            long now = System.nanoTime() + jump.get();
            looksAtTheClock.release();
            return now;
        });
        try (Subscribed subscribed = Subscribed.to(builder)) {
            proxy.refuse();
            proxy.resetAll();
            awaitDown(subscribed);
            jump.set(Duration.ofDays(30).toNanos());
            looksAtTheClock.drainPermits();
            // The first look may have begun before the jump.
            assertThat(looksAtTheClock.tryAcquire(2, SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            proxy.heal();
            send("1");

            assertThat(subscribed.next().event().id()).isEqualTo("1");
            assertThat(subscribed.receiver().termination().toCompletableFuture())
                    .isNotDone();
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

    /** The broker tells it, and nothing else happens on the connection: a receiver that waits for messages would wait for ever. */
    @Test
    void endsWithAnErrorWhenItsQueueStaysDeletedWhileItIsIdle() {
        Subscribed.to(plain().declareTopology()).close();
        PlainReceiverBuilder declaresNothing =
                plain().withoutDeadLetterExchange().recoveryTimeout(Duration.ofMillis(300));
        try (Subscribed subscribed = Subscribed.to(declaresNothing)) {
            Node.deleteQueues(queue);

            assertThat(subscribed.receiver().termination().toCompletableFuture())
                    .failsWithin(SOON)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(ReceiverException.class)
                    .withMessageContaining("the broker ended the consumer")
                    .withMessageContaining("queue");
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
        throw new AssertionError("No consumer at queue " + queue + " within " + SOON);
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
}
