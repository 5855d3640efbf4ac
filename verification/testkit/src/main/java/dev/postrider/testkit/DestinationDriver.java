package dev.postrider.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Drives a destination in the words of its contract: send, await, what arrived. For one thread. */
final class DestinationDriver {

    /** What a busy machine may add to a time-out. */
    private static final Duration SLACK = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final DestinationFixture fixture;
    private final Destination destination;
    private final String topic;

    DestinationDriver(DestinationFixture fixture, Destination destination) {
        this.fixture = fixture;
        this.destination = destination;
        this.topic = fixture.newTopic();
    }

    Destination destination() {
        return destination;
    }

    String topic() {
        return topic;
    }

    OutboxMessage.Builder message() {
        return OutboxMessage.builder(topic).type("com.example.Happened");
    }

    OutboxMessage message(String key) {
        return message().key(key).payload(key.getBytes(StandardCharsets.UTF_8)).build();
    }

    List<OutboxMessage> messages(String key, int count) {
        return IntStream.range(0, count).mapToObj(i -> message(key)).toList();
    }

    CompletableFuture<DeliveryResult> begin(OutboxMessage message) {
        return destination.send(message).toCompletableFuture();
    }

    List<CompletableFuture<DeliveryResult>> beginAll(List<OutboxMessage> messages) {
        return messages.stream().map(this::begin).toList();
    }

    /** How the send ended, which it must within the delivery time-out. Exceptional is as good as a retry. */
    DeliveryResult await(CompletableFuture<DeliveryResult> sending) {
        Duration limit = destination.deliveryTimeout().plus(SLACK);
        try {
            return sending.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError("A send has not ended after " + limit, late);
        } catch (ExecutionException failed) {
            return DeliveryResult.retry(String.valueOf(failed.getCause()), requireNonNull(failed.getCause()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", interrupted);
        }
    }

    List<DeliveryResult> awaitAll(List<CompletableFuture<DeliveryResult>> sendings) {
        return sendings.stream().map(this::await).toList();
    }

    DeliveryResult send(OutboxMessage message) {
        return await(begin(message));
    }

    /** Sends and requires success. */
    void deliver(OutboxMessage message) {
        assertThat(send(message)).isEqualTo(DeliveryResult.DELIVERED);
    }

    /** Sends one after the other, each until it is delivered, as the relay does with the messages of a key. */
    void deliverInTheEnd(List<OutboxMessage> messages) {
        for (OutboxMessage message : messages) {
            AtomicReference<Object> last = new AtomicReference<>("nothing");
            awaitTrue(() -> "a send that succeeds, the last one ended with " + last, () -> {
                DeliveryResult result = send(message);
                last.set(result);
                return result instanceof DeliveryResult.Delivered;
            });
        }
    }

    void awaitHealth(Class<? extends Health> wanted) {
        awaitTrue(wanted::getSimpleName, () -> wanted.isInstance(destination.healthCheck()));
    }

    private static void awaitTrue(Supplier<String> what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Waited " + PATIENCE + " in vain for " + what.get());
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", interrupted);
        }
    }

    List<OutboxMessage> arrived(int count) {
        return fixture.arrived(topic, count);
    }

    /** The one message that arrived. */
    OutboxMessage arrivedAlone() {
        List<OutboxMessage> arrived = arrived(1);
        assertThat(arrived).hasSize(1);
        return arrived.get(0);
    }

    static List<MessageId> ids(List<OutboxMessage> messages) {
        return messages.stream().map(OutboxMessage::id).toList();
    }

    /** Those that were reported as delivered. */
    static List<OutboxMessage> delivered(List<OutboxMessage> messages, List<DeliveryResult> results) {
        List<OutboxMessage> delivered = new ArrayList<>(messages);
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (!(results.get(i) instanceof DeliveryResult.Delivered)) {
                delivered.remove(i);
            }
        }
        return delivered;
    }
}
