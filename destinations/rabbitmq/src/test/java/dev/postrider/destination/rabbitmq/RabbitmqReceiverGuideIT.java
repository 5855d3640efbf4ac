package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What stands between "snippet" and "end" stands in docs/guides/rabbitmq-receiver.md as well; SnippetsTest compares. */
class RabbitmqReceiverGuideIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String CREATED = "example.books.v1.BookCreated";

    private final String password = "secret";

    @Test
    void opensAParkingLot() {
        // snippet: parking-lot
        Receiver receiver = RabbitmqReceiver.parkingLot("billing")
                .addresses("rabbit-1.example:5672", "rabbit-2.example:5672")
                .credentials("billing", password)
                .declareTopology()
                .bindEvents()
                .maxRetries(3)
                .retryPause(Duration.ofSeconds(15))
                .build();
        // end
        assertThat(receiver.ordering()).isEqualTo(Ordering.NONE);
        receiver.close();
    }

    @Test
    void waitsLongerAfterEachFailure() {
        // snippet: pauses
        Receiver receiver = RabbitmqReceiver.parkingLot("billing")
                .declareTopology()
                .quorumQueues()
                .retryPauses(Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofMinutes(10))
                .maxRetries(6)
                .build();
        // end
        receiver.close();
    }

    @Test
    void triesAgainInPlace() throws Exception {
        String address = Node.server().host() + ":" + Node.server().port();
        String user = Node.server().user();
        String password = Node.server().password();
        // snippet: plain
        Receiver receiver = RabbitmqReceiver.plain("search")
                .addresses(address)
                .credentials(user, password)
                .declareTopology()
                .bindEvents()
                .declareExchanges()
                .singleActiveConsumer()
                .retryPause(Duration.ofMillis(200), Duration.ofSeconds(5))
                .build();
        // end
        BlockingQueue<String> attempts = new LinkedBlockingQueue<>();
        try (receiver;
                Destination destination = Node.destination().build()) {
            receiver.start(new Subscription("search", Set.of(CREATED)), delivery -> {
                String title = new String(delivery.message().payload(), StandardCharsets.UTF_8);
                attempts.add(title + " " + delivery.attempt());
                if (title.equals("Ulysses") && delivery.attempt() == 1) {
                    delivery.retryLater("not yet");
                } else {
                    delivery.acknowledge();
                }
            });
            for (String title : List.of("Ulysses", "Dubliners")) {
                OutboxMessage book = OutboxMessage.builder("example.books.v1")
                        .type(CREATED)
                        .key("joyce")
                        .payload(title.getBytes(StandardCharsets.UTF_8))
                        .build();
                assertThat(destination.send(book).toCompletableFuture())
                        .succeedsWithin(SOON)
                        .isEqualTo(DeliveryResult.DELIVERED);
            }

            for (String expected : List.of("Ulysses 1", "Ulysses 2", "Dubliners 1")) {
                assertThat(attempts.poll(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(expected);
            }
        } finally {
            Node.deleteQueues("search", "search.dlx");
        }
    }

    @Test
    void usesAQueueThatOthersDeclared() {
        // snippet: requeue
        Receiver receiver = RabbitmqReceiver.plain("search")
                .withoutDeadLetterExchange()
                .requeue()
                .prefetch(50)
                .build();
        // end
        assertThat(receiver.prefetch()).isEqualTo(50);
        receiver.close();
    }

    @Test
    void endsTheProcessAfterALimit() {
        // snippet: recovery-timeout
        Receiver receiver = RabbitmqReceiver.parkingLot("billing")
                .declareTopology()
                .recoveryTimeout(Duration.ofMinutes(10))
                .build();
        receiver.termination().whenComplete((ended, failure) -> {
            if (failure != null) {
                System.exit(1);
            }
        });
        // end
        receiver.close();
        assertThat(receiver.termination().toCompletableFuture()).isCompleted();
    }
}
