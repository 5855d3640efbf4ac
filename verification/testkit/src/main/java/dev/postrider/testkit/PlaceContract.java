package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.HeldReport.HeldHead;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A topic, exchange or stream that is missing: an outage of that place alone, in a relay with the back-offs that it has by default. */
interface PlaceContract extends BrokerPart {

    @Test
    @Timeout(300)
    default void waitsForAMissingPlaceInOrderAndCountsNoAttempt() {
        DestinationDriver driver = driver();
        String missing = broker().topicsThatLeadNowhere().get(0);
        OutboxMessage first = message(missing, "key");
        OutboxMessage second = message(driver.topic(), "key");
        OutboxMessage other = message(driver.topic(), "other key");
        InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
        Outbox.withDefaults(store).inTransaction(store.dataSource(), tx -> tx.enqueue(first, second, other));

        AtomicInteger tries = new AtomicInteger();
        try (Relay relay = Relay.builder(store, driver.destination())
                .lease(SlowContract.LEASE)
                .listener(countingTries(tries))
                .build()) {
            relay.start();
            RelayUnderLoad.await("some tries", () -> tries.get() >= 4);
            RelayUnderLoad.await(
                    "the other key",
                    () -> store.stats().undelivered() <= store.stats().held());

            assertThat(relay.unavailablePlaces())
                    .singleElement()
                    .satisfies(place -> assertThat(place.place()).contains(missing));
            assertThat(store.heldReport(10).heads())
                    .extracting(HeldHead::attempts)
                    .containsExactly(0);
            assertThat(broker().arrived(driver.topic(), 1))
                    .extracting(OutboxMessage::id)
                    .containsExactly(other.id());
            broker().repair(missing);

            RelayUnderLoad.await(
                    "an empty outbox",
                    () -> store.stats().undelivered() + store.stats().held() == 0);
            assertThat(relay.unavailablePlaces()).isEmpty();
        }
        assertThat(store.stats().dead()).isZero();
        assertThat(broker().arrived(missing, 1)).extracting(OutboxMessage::id).containsExactly(first.id());
        assertThat(broker().arrived(driver.topic(), 2))
                .extracting(OutboxMessage::id)
                .containsExactlyInAnyOrderElementsOf(List.of(second.id(), other.id()));
    }

    private static OutboxMessage message(String topic, String key) {
        return OutboxMessage.builder(topic).key(key).type("t").build();
    }

    private static RelayListener countingTries(AtomicInteger tries) {
        return new RelayListener() {
            @Override
            public void notReached(Attempt attempt, DeliveryResult.Outage outage, Duration took) {
                tries.incrementAndGet();
            }
        };
    }
}
