package dev.postrider.examples.rabbitmqparkinglot;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventContext;
import dev.postrider.bus.EventPublisher;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.EventType;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.destination.rabbitmq.RabbitmqDestination;
import dev.postrider.destination.rabbitmq.RabbitmqReceiver;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A consumer with a parking lot: an order that fails for now waits in {@code billing.wait} and comes back, while others go on; one that can
 * never be billed, or failed too often, ends in {@code billing.pl}, where an operator finds it with the reason.
 *
 * <p>The argument is the address of the broker, {@code amqp://user:password@host:port}.
 */
public final class RabbitmqParkingLot {

    /** The data of the event. */
    public record Placed(String id, int total) {}

    private static final EventType<Placed> PLACED = EventType.of("example.orders.v1.Placed", Placed.class);
    private static final CodecRegistry CODECS = CodecRegistry.of(JsonCodec.withDefaults());
    private static final int MAX_RETRIES = 2;

    private final CountDownLatch ended = new CountDownLatch(3);

    private RabbitmqParkingLot() {}

    public static void main(String[] args) throws Exception {
        new RabbitmqParkingLot().run(args.length > 0 ? args[0] : "amqp://localhost");
    }

    private void run(String broker) throws Exception {
        RabbitmqReceiver receiver = RabbitmqReceiver.parkingLot("billing")
                .uri(broker)
                .declareTopology()
                .bindEvents()
                .declareExchanges()
                .maxRetries(MAX_RETRIES)
                .retryPause(Duration.ofMillis(200))
                .build();
        try (RabbitmqDestination rabbit =
                        RabbitmqDestination.builder("rabbit").uri(broker).build();
                Subscriber billing =
                        Subscriber.builder("billing", receiver, CODECS).build()) {
            billing.register(PLACED, this::bill);
            billing.start();
            EventPublisher publisher = EventPublishers.builder(CODECS).build().to(rabbit);
            publisher.publish(PLACED, new Placed("order-1", 42));
            publisher.publish(PLACED, new Placed("order-2", -1));
            publisher.publish(PLACED, new Placed("order-3", 0));
            ended.await(30, TimeUnit.SECONDS);
        }
        printParked(broker);
    }

    private void bill(Placed order, EventContext context) {
        if (order.total() < 0) {
            ended.countDown();
            throw new UnprocessableEventException(order.id() + " has a negative total");
        }
        boolean isLast = context.attempt() > MAX_RETRIES;
        if (order.total() == 0 || !isLast) {
            countIf(isLast);
            throw new IllegalStateException("the bank does not answer for " + order.id());
        }
        System.out.println("billed " + order.id() + " at attempt " + context.attempt());
        ended.countDown();
    }

    private void countIf(boolean isLast) {
        if (isLast) {
            ended.countDown();
        }
    }

    /** What an operator sees. */
    private static void printParked(String broker) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker);
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            for (GetResponse next = channel.basicGet("billing.pl", true);
                    next != null;
                    next = channel.basicGet("billing.pl", true)) {
                System.out.println("parked: " + next.getProps().getHeaders().get("x-postrider-parked-reason"));
            }
        }
    }
}
