package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.Subscription;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What stands between "snippet" and "end" stands in docs/guides/kafka-receiver.md as well; SnippetsTest compares. */
class KafkaReceiverGuideIT {

    private final Broker broker = Servers.kafka();
    private final String servers = broker.host() + ":" + broker.port();
    private final TestTopics topics = new TestTopics(servers);

    @Test
    void receives() throws InterruptedException {
        String orders = topics.create(1);
        String billing = "billing-" + orders;
        BlockingQueue<OutboxMessage> handled = new LinkedBlockingQueue<>();
        // snippet: receiver
        Receiver receiver = KafkaReceiver.builder(billing, servers)
                .topics(orders)
                .createTopics(6, 1)
                .build();
        // end
        // snippet: start
        receiver.start(Subscription.toAll("billing"), delivery -> {
            handled.add(delivery.message());
            delivery.acknowledge();
        });
        // end
        try (receiver;
                TestProducer producer = new TestProducer(servers)) {
            OutboxMessage sent =
                    OutboxMessage.builder(orders).type("t").key("17").build();
            producer.send(sent, 0);

            OutboxMessage arrived = handled.poll(60, TimeUnit.SECONDS);
            assertThat(arrived).isNotNull();
            assertThat(arrived.id()).isEqualTo(sent.id());
        }
    }

    @Test
    void retriesInPlaceOrOverTopics() {
        // snippet: in-place
        Receiver inPlace = KafkaReceiver.builder("billing", servers)
                .topics("orders")
                .backoff(Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30)))
                .maxAttempts(10)
                .build();
        // end
        // snippet: retry-topics
        Receiver overTopics = KafkaReceiver.builder("billing", servers)
                .topics("orders")
                .retryTopics(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(10))
                .maxAttempts(5)
                .build();
        // end
        try (inPlace;
                overTopics) {
            assertThat(inPlace.ordering()).isEqualTo(Ordering.PER_KEY);
            assertThat(overTopics.ordering()).isEqualTo(Ordering.NONE);
        }
    }

    @Test
    void refusesWhatBreaksAPromise() {
        // snippet: properties
        KafkaReceiverBuilder builder = KafkaReceiver.builder("billing", servers)
                .topics("orders")
                .property("security.protocol", "SSL")
                .property("fetch.min.bytes", 1024);
        // builder.property("enable.auto.commit", true);    IllegalArgumentException: a message is committed when …
        // end
        assertThatThrownBy(() -> builder.property("enable.auto.commit", true))
                .hasMessageContaining("a message is committed when");
    }
}
