package dev.postrider.testkit;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RoutingTable;
import dev.postrider.spi.BlockingDestination;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.SendContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole relay over the store, on the thread of the test. */
interface RelayContract extends ContractPart {

    /** Fails at the first attempt. */
    final class SeenContexts implements BlockingDestination.Sender {

        final List<OutboxMessage> messages = new CopyOnWriteArrayList<>();
        final List<SendContext> contexts = new CopyOnWriteArrayList<>();

        @Override
        public void send(OutboxMessage message) {
            throw new UnsupportedOperationException("A relay says what it knows");
        }

        @Override
        public void send(OutboxMessage message, SendContext context) {
            messages.add(message);
            contexts.add(context);
            if (contexts.size() == 1) {
                throw new IllegalStateException("not now");
            }
        }
    }

    @Test
    @Timeout(60)
    default void aRelayDeliversEveryFieldAsItWasEnqueued() {
        OutboxMessage full = OutboxMessage.builder("orders")
                .key("a")
                .type("placed")
                .header("ce_time", "2026-01-31T12:00:00.5+01:00")
                .header("traceparent", "00-1-2-03")
                .header("x", "\u00e4\u20ac\"\\{}")
                .contentType("application/json")
                .payload(new byte[] {0, 1, -1, '{', '"'})
                .build();
        OutboxMessage bare = OutboxMessage.builder("orders")
                .type("placed")
                .header("ce_time", "2026-01-31T11:00:00Z")
                .build();
        driver().commit(full, bare);
        RecordingDestination broker = new RecordingDestination("broker");

        DrainReport report = Relay.withDefaults(driver().store(), broker).drainOnce();

        assertThat(report.delivered()).isEqualTo(2);
        assertThat(broker.delivered())
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyInAnyOrder(full, bare);
        assertThat(driver().hotIds()).isEmpty();
    }

    /** Each attempt hands over the same time, which is also that of an event that names none. */
    @Test
    @Timeout(60)
    default void aRelayTellsTheDestinationWhenAMessageWasWrittenAndHowOftenItHasFailed() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        SeenContexts seen = new SeenContexts();
        try (Destination broker = Destination.blocking("broker", seen)) {
            Relay relay = Relay.builder(driver().store(), broker)
                    .backoff(Backoff.constant(driver().fixture().shortTime()))
                    .build();
            relay.drainOnce();
            driver().fixture().letPass(driver().fixture().shortTime().multipliedBy(2));
            relay.drainOnce();
        }

        assertThat(seen.contexts).extracting(SendContext::failedAttempts).containsExactly(0, 1);
        assertThat(seen.contexts)
                .extracting(SendContext::createdAt)
                .containsOnly(seen.contexts.get(0).createdAt());
        assertThat(seen.messages).allSatisfy(sent -> {
            assertThat(sent.id()).isEqualTo(message.id());
            assertThat(sent.headers().get(Headers.TIME))
                    .contains(seen.contexts.get(0).createdAt().toString());
        });
    }

    /** Of the failing key everything waits in its order; nothing else does. */
    @Test
    @Timeout(60)
    default void aRelayHoldsBackAFailingKeyOnly() {
        List<OutboxMessage> failing = driver().commitOfKey("a", 3);
        List<OutboxMessage> others = driver().commitOfKey("b", 3);
        RecordingDestination broker = new RecordingDestination("broker");
        broker.answer(message ->
                message.id().equals(failing.get(1).id()) ? DeliveryResult.retry("not now") : DeliveryResult.DELIVERED);

        Relay.withDefaults(driver().store(), broker).drainOnce();

        assertThatDeliveries(broker.delivered())
                .lackNothingOf(others)
                .keepTheOrderOf(others)
                .containNothingBut(List.of(failing.get(0), others.get(0), others.get(1), others.get(2)));
        assertThat(driver().store().stats().held()).isEqualTo(2);
    }

    /** A topic leads to both, so the store cannot leave rows out: the relay must pass over them without end or loss. */
    @Test
    @Timeout(60)
    default void aRelayFlowsPastTheBacklogOfAPausedDestination() {
        RecordingDestination paused = new RecordingDestination("paused");
        RecordingDestination open = new RecordingDestination("open");
        RoutingTable table = RoutingTable.byHeader("to").route("open", open).otherwise(paused);
        OutboxMessage[] backlog = messages("paused", 300);
        OutboxMessage[] behind = messages("open", 20);
        driver().commit(backlog);
        driver().commit(behind);
        driver().store().pauses().pause("paused", "test");

        Relay relay = Relay.builder(driver().store(), table)
                .workers(1)
                .batchSize(10)
                .maxInFlight(10)
                .build();
        DrainReport during = relay.drainOnce();

        assertThat(during.isComplete()).isFalse();
        assertThatDeliveries(open.delivered())
                .lackNothingOf(List.of(behind))
                .containNothingBut(List.of(behind))
                .haveNoDuplicates();
        assertThat(paused.delivered()).isEmpty();
        driver().store().pauses().resume("paused", "test");
        assertThat(relay.drainOnce().delivered()).isEqualTo(backlog.length);
        assertThatDeliveries(paused.delivered())
                .lackNothingOf(List.of(backlog))
                .keepTheOrderOf(List.of(backlog))
                .haveNoDuplicates();
    }

    private static OutboxMessage[] messages(String to, int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> StoreDriver.builder("orders")
                        .key("key-" + n)
                        .header("to", to)
                        .build())
                .toArray(OutboxMessage[]::new);
    }
}
