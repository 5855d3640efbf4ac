package dev.postrider.destination.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.Subscription;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What stands between "snippet" and "end" stands in docs/guides/nats-receiver.md as well; SnippetsTest compares. */
class NatsReceiverGuideIT {

    private final String url =
            "nats://" + Server.server().host() + ":" + Server.server().port();
    private final String user = Server.server().user();
    private final String password = Server.server().password();

    @Test
    void receives() throws InterruptedException {
        BlockingQueue<OutboxMessage> handled = new LinkedBlockingQueue<>();
        // snippet: receiver
        Receiver receiver = NatsReceiver.builder("billing", "ORDERS")
                .servers(url)
                .credentials(user, password)
                .subjects("orders.>")
                .createStream(StreamConfiguration.builder()
                        .name("ORDERS")
                        .subjects("orders.>")
                        .build())
                .createParkingStream(true)
                .build();
        // end
        // snippet: start
        receiver.start(Subscription.toAll("billing"), delivery -> {
            handled.add(delivery.message());
            delivery.acknowledge();
        });
        // end
        try (receiver) {
            OutboxMessage sent = OutboxMessage.builder("orders.new").type("t").build();
            Server.withConnection(connection -> connection
                    .jetStream()
                    .publish(new EventMapping(OutboxMessage::topic, Subjects.OF_APPLICATIONS, "/test", Optional.empty())
                            .write(sent)));

            OutboxMessage arrived = handled.poll(60, TimeUnit.SECONDS);
            assertThat(arrived).isNotNull();
            assertThat(arrived.id()).isEqualTo(sent.id());
        } finally {
            Server.withConnection(connection -> connection.jetStreamManagement().deleteStream("ORDERS")
                    && connection.jetStreamManagement().deleteStream("billing-parked"));
        }
    }

    @Test
    void retries() {
        // snippet: retry
        Receiver receiver = NatsReceiver.builder("billing", "ORDERS")
                .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5)))
                .maxAttempts(8)
                .ackWait(Duration.ofSeconds(30))
                .parkingSubject("parked.billing")
                .build();
        // end
        try (receiver) {
            assertThat(receiver.name()).isEqualTo("nats/ORDERS/billing");
        }
    }
}
