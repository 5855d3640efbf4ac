package dev.postrider.spi.toybroker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Outage;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.testkit.DestinationContract;
import dev.postrider.testkit.DestinationFixture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A new broker is three small classes: {@link ToyLink}, {@link ToyFailures} and {@link ToyDestination}. CONTRIBUTING.md points here. */
class ToyDestinationTest extends DestinationContract {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ToyBroker broker = new ToyBroker();
    private final ToyDestination destination = broker.open();

    @Override
    protected DestinationFixture newFixture() {
        return new ToyBroker();
    }

    @AfterEach
    void close() {
        destination.close();
        broker.close();
    }

    private CompletableFuture<DeliveryResult> send(String topic, int bytes) {
        return destination
                .send(OutboxMessage.builder(topic)
                        .type("t")
                        .payload(new byte[bytes])
                        .build())
                .toCompletableFuture();
    }

    @Test
    void saysWhichTopicIsMissing() {
        assertThat(send("missing", 1)).succeedsWithin(SOON).isInstanceOfSatisfying(Unavailable.class, unavailable -> {
            assertThat(unavailable.place()).isEqualTo("topic 'missing'");
            assertThat(unavailable.reason()).contains("create it");
        });
    }

    @Test
    void rejectsWhatTheBrokerWouldNotTake() {
        assertThat(send(broker.newTopic(), ToyLink.MAX_BYTES))
                .succeedsWithin(SOON)
                .isInstanceOf(Reject.class);
    }

    @Test
    void endsWhatWasOnALostConnectionAndOpensAnother() throws Exception {
        String topic = broker.newTopic();
        broker.fallSilent();
        CompletableFuture<DeliveryResult> unanswered = send(topic, 1);
        while (broker.arrived(topic, 1).isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }

        broker.dropConnections();

        assertThat(unanswered).succeedsWithin(SOON).isInstanceOf(Outage.class);
        broker.answerAgain();
        assertThat(send(topic, 1)).succeedsWithin(SOON).isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void endsWhatTheBrokerNeverAnswers() {
        broker.fallSilent();

        assertThat(send(broker.newTopic(), 1))
                .succeedsWithin(destination.deliveryTimeout().plus(SOON))
                .isInstanceOf(Outage.class);
    }
}
