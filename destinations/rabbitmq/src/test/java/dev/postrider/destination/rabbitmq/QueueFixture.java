package dev.postrider.destination.rabbitmq;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverListener;
import dev.postrider.testkit.ReceiverFixture;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A queue of its own for each test, as the contract of receivers needs it. */
final class QueueFixture implements ReceiverFixture {

    private final String exchange = Node.newExchange();
    private final String queue = "queue-of-" + exchange;
    private final RabbitmqDestination destination = Node.destination().build();
    private final Function<String, RabbitmqReceiverBuilder<?>> receivers;
    private final String parkedIn;
    private final int maxAttempts;

    /**
     * A fixture.
     *
     * @param receivers makes a builder for a queue of this name
     * @param parkedIn what follows the queue's name in that of the one where messages are parked
     */
    QueueFixture(Function<String, RabbitmqReceiverBuilder<?>> receivers, String parkedIn, int maxAttempts) {
        this.receivers = receivers;
        this.parkedIn = parkedIn;
        this.maxAttempts = maxAttempts;
    }

    @Override
    public Receiver open(int prefetch, ReceiverListener listener) {
        return Node.access(receivers.apply(queue))
                .declareTopology()
                .bindTo(exchange, "#")
                .prefetch(prefetch)
                .listener(listener)
                .build();
    }

    @Override
    public String topic() {
        return exchange;
    }

    @Override
    public int maxAttempts() {
        return maxAttempts;
    }

    @Override
    public void send(OutboxMessage message) {
        DeliveryResult result = destination
                .send(message)
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
        if (result != DeliveryResult.DELIVERED) {
            throw new AssertionError("not sent: " + result);
        }
    }

    @Override
    public List<OutboxMessage> parked(int count) {
        return Node.messagesIn(queue + parkedIn, count);
    }

    @Override
    public void close() {
        destination.close();
        Node.deleteQueues(queue, queue + ".wait", queue + ".pl", queue + ".dlx");
    }
}
