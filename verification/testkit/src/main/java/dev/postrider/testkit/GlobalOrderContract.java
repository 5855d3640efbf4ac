package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay in global order over a store with one lane: first in, first out, whatever the keys. */
interface GlobalOrderContract extends ContractPart {

    Duration BACKOFF = Duration.ofMillis(100);

    /** More than a test can make. */
    int MANY_ATTEMPTS = 1_000;

    @Test
    @Timeout(60)
    default void inGlobalOrderAFailingMessageBlocksAllBehindItUntilItIsDelivered() {
        List<MessageId> ids = commitForOtherKeys();
        AtomicBoolean isRefusing = new AtomicBoolean(true);
        RecordingDestination broker = brokerThatRefuses(ids.get(1), isRefusing);
        Relay relay = globalRelay(broker, MANY_ATTEMPTS);

        drainAfterBackoff(relay);
        drainAfterBackoff(relay);
        List<OutboxMessage> meanwhile = broker.delivered();
        MessageId late = driver().commitOfKey("late", 1).get(0).id();
        drainAfterBackoff(relay);
        isRefusing.set(false);
        relay.drainOnce();

        assertThat(StoreDriver.idsOf(meanwhile)).containsExactly(ids.get(0));
        assertThat(StoreDriver.idsOf(broker.delivered()))
                .containsExactly(ids.get(0), ids.get(1), ids.get(2), ids.get(3), late);
        assertThat(driver().store().stats().held()).isZero();
    }

    @Test
    @Timeout(60)
    default void inGlobalOrderAFailingMessageBlocksAllBehindItUntilItIsGivenUp() {
        List<MessageId> ids = commitForOtherKeys();
        RecordingDestination broker = brokerThatRefuses(ids.get(1), new AtomicBoolean(true));
        Relay relay = globalRelay(broker, 3);

        while (driver().store().stats().dead() == 0) {
            drainAfterBackoff(relay);
        }
        relay.drainOnce();

        MessageId refused = ids.get(1);
        assertThat(StoreDriver.idsOf(broker.sent()))
                .containsExactly(ids.get(0), refused, refused, refused, ids.get(2), ids.get(3));
        assertThat(driver().deadIds()).containsExactly(refused);
    }

    /** One transaction each, with different keys and without one. */
    private List<MessageId> commitForOtherKeys() {
        StoreDriver driver = driverWithOneLane();
        List<OutboxMessage> messages = List.of(
                StoreDriver.message("a"),
                StoreDriver.message("b"),
                StoreDriver.builder("orders").build(),
                StoreDriver.message("c", "invoices"));
        messages.forEach(driver::commit);
        return StoreDriver.idsOf(messages);
    }

    private static RecordingDestination brokerThatRefuses(MessageId id, AtomicBoolean isRefusing) {
        RecordingDestination broker = new RecordingDestination("broker");
        broker.answer(message -> isRefusing.get() && message.id().equals(id)
                ? DeliveryResult.retry("not now")
                : DeliveryResult.DELIVERED);
        return broker;
    }

    private Relay globalRelay(RecordingDestination broker, int maxAttempts) {
        return Relay.builder(driver().store(), broker)
                .ordering(Ordering.GLOBAL)
                .backoff(Backoff.constant(BACKOFF))
                .maxAttempts(maxAttempts)
                .build();
    }

    /** Afterwards what was refused is due again. */
    private void drainAfterBackoff(Relay relay) {
        relay.drainOnce();
        driver().fixture().letPass(BACKOFF.multipliedBy(2));
    }
}
