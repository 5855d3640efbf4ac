package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverListener;
import dev.postrider.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Drives receivers in the words of their contract: open, send, next, nothing more. For one thread. */
final class ReceiverDriver implements AutoCloseable {

    static final String TYPE = "example.contract.v1.Happened";

    private static final int PREFETCH = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofMillis(300);

    private final ReceiverFixture fixture;
    private final List<Receiver> receivers = new ArrayList<>();
    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();

    ReceiverDriver(ReceiverFixture fixture) {
        this.fixture = fixture;
    }

    ReceiverFixture fixture() {
        return fixture;
    }

    /** A started receiver whose deliveries {@link #next} returns. */
    Receiver open() {
        return open(PREFETCH);
    }

    Receiver open(int prefetch) {
        return open(prefetch, deliveries::add);
    }

    Receiver open(int prefetch, Consumer<Delivery> handler) {
        return open(prefetch, ReceiverListener.NONE, handler);
    }

    /** The same, and tells this listener what the receiver does. */
    Receiver open(ReceiverListener listener) {
        return open(PREFETCH, listener, deliveries::add);
    }

    private Receiver open(int prefetch, ReceiverListener listener, Consumer<Delivery> handler) {
        Receiver receiver = fixture.open(prefetch, listener);
        receivers.add(receiver);
        receiver.start(new Subscription("contract", Set.of(TYPE)), handler);
        return receiver;
    }

    OutboxMessage.Builder message() {
        return OutboxMessage.builder(fixture.topic()).type(TYPE);
    }

    OutboxMessage message(String key) {
        return message().key(key).payload(key.getBytes(StandardCharsets.UTF_8)).build();
    }

    List<OutboxMessage> send(String key, int count) {
        List<OutboxMessage> messages =
                IntStream.range(0, count).mapToObj(i -> message(key)).toList();
        messages.forEach(fixture::send);
        return messages;
    }

    OutboxMessage send(OutboxMessage message) {
        fixture.send(message);
        return message;
    }

    /** The next delivery, which must come. */
    Delivery next() {
        Delivery delivery = poll(PATIENCE);
        assertThat(delivery).as("a delivery within %s", PATIENCE).isNotNull();
        return delivery;
    }

    List<Delivery> next(int count) {
        return IntStream.range(0, count).mapToObj(i -> next()).toList();
    }

    void expectNothingMore() {
        Delivery unexpected = poll(QUIET);
        assertThat(unexpected == null ? "nothing" : unexpected.message()).isEqualTo("nothing");
    }

    private Delivery poll(Duration patience) {
        try {
            return deliveries.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", interrupted);
        }
    }

    static List<MessageId> ids(List<Delivery> deliveries) {
        return deliveries.stream().map(delivery -> delivery.message().id()).toList();
    }

    @Override
    public void close() {
        receivers.forEach(Receiver::close);
        fixture.close();
    }
}
