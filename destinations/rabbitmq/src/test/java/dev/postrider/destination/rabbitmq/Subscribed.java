package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A started receiver on a queue of its own, and raw messages written to that queue as any producer could. */
final class Subscribed implements AutoCloseable {

    static final String TYPE = "example.books.v1.BookCreated";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    private final Receiver receiver;

    private Subscribed(Receiver receiver) {
        this.receiver = receiver;
    }

    static Subscribed to(RabbitmqReceiverBuilder<?> builder) {
        Subscribed subscribed = new Subscribed(builder.build());
        subscribed.receiver.start(new Subscription("test", Set.of(TYPE)), subscribed.deliveries::add);
        return subscribed;
    }

    Receiver receiver() {
        return receiver;
    }

    Delivery next() {
        Delivery delivery = next(PATIENCE);
        assertThat(delivery).as("a delivery").isNotNull();
        return delivery;
    }

    @Nullable
    Delivery next(Duration patience) {
        try {
            return deliveries.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** The properties of an event in binary mode, as the existing bus writes them. */
    static BasicProperties.Builder event(String id) {
        return new BasicProperties.Builder()
                .type(TYPE)
                .contentType("application/json")
                .deliveryMode(2)
                .headers(headers(id));
    }

    static Map<String, Object> headers(String id) {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("cloudEvents:specversion", "1.0");
        headers.put("cloudEvents:id", id);
        headers.put("cloudEvents:source", "books");
        return headers;
    }

    static void publish(String queue, BasicProperties properties) {
        publish("", queue, properties, "{}");
    }

    static void publish(String exchange, String routingKey, BasicProperties properties, String body) {
        Node.inChannel(channel -> {
            channel.confirmSelect();
            channel.basicPublish(exchange, routingKey, true, properties, body.getBytes(StandardCharsets.UTF_8));
            try {
                return channel.waitForConfirms(PATIENCE.toMillis());
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** The next message of a queue, taken out of it, which must come. */
    static GetResponse take(String queue) {
        return tryTake(queue, PATIENCE)
                .orElseThrow(() -> new AssertionError("Nothing came to queue " + queue + " within " + PATIENCE));
    }

    static Optional<GetResponse> tryTake(String queue, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        return Node.inChannel(channel -> {
            Optional<GetResponse> got = Optional.ofNullable(channel.basicGet(queue, true));
            while (got.isEmpty() && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
                got = Optional.ofNullable(channel.basicGet(queue, true));
            }
            return got;
        });
    }

    static long count(String queue) {
        return Node.inChannel(channel -> channel.messageCount(queue));
    }

    /** What a consumer has returned is in the queue a moment later. */
    static void awaitCount(String queue, long expected) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (count(queue) != expected) {
            assertThat(System.nanoTime() - end)
                    .as("queue %s has %d messages", queue, expected)
                    .isNegative();
        }
    }

    static OutboxMessage read(GetResponse got) {
        return EventMapping.read(got.getEnvelope().getExchange(), got.getProps(), got.getBody());
    }

    @Override
    public void close() {
        receiver.close();
    }
}
