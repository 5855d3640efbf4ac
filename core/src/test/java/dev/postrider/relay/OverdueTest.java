package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.RecordingTracing;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A send that the destination does not end in time: if it was taken for failed, it might still arrive behind its follower. */
class OverdueTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
    private final List<MessageId> begun = new ArrayList<>();
    private final Map<MessageId, CompletableFuture<DeliveryResult>> sends = new HashMap<>();
    private final List<MessageId> overdue = new ArrayList<>();
    private final RecordingTracing tracing = new RecordingTracing(Map.of());
    private final RelayCore relay = new RelayBuilder(store, DestinationRouter.to(new Endless()))
            .workers(1)
            .maxAttempts(1)
            .deliveryTimeout(TIMEOUT)
            .nanoTime(clock::nanoTime)
            .tracing(tracing)
            .buildCore(new RelayListener() {
                @Override
                public void overdue(Attempt attempt, Duration since) {
                    overdue.add(attempt.message().id());
                }
            });

    @Test
    void isReportedOnceButNotRepeatedAndNothingOfItsKeyPassesIt() {
        OutboxMessage first = commit("k");
        OutboxMessage second = commit("k");
        OutboxMessage other = commit("other");
        relay.keeper().step();
        pass(TIMEOUT.multipliedBy(5));

        assertThat(overdue).containsExactlyInAnyOrder(first.id(), other.id());
        assertThat(begun).containsExactly(first.id(), other.id());
        assertThat(store.stats().dead() + store.stats().held()).isZero();
        assertThat(tracing.log())
                .filteredOn("postrider.outcome=overdue"::equals)
                .hasSize(2);
        assertThat(tracing.ends()).as("the trace does not wait").isEqualTo(2);

        sends.get(first.id()).complete(DeliveryResult.DELIVERED);
        pass(Duration.ofSeconds(1));
        assertThat(begun).containsExactly(first.id(), other.id(), second.id());
    }

    @Test
    void leavesNoSpanBehindInLanesThatWereLost() {
        for (int round = 1; round <= 20; round++) {
            int before = begun.size();
            commit("k" + round);
            relay.keeper().step();
            pass(Duration.ofMillis(400));
            assertThat(begun).as("all are sent again").hasSize(before + round);
            loseTheLane();
            pass(TIMEOUT.multipliedBy(2));

            assertThat(tracing.begun()).isEqualTo(begun.size());
            assertThat(tracing.ends()).as("round " + round).isEqualTo(tracing.begun());
        }
    }

    /** The relay stands still for longer than a lease, and another one takes its lane and gives it back. */
    private void loseTheLane() {
        clock.advance(Duration.ofMinutes(1));
        assertThat(store.leases().take(0, "other", Duration.ofSeconds(1))).isPresent();
        clock.advance(Duration.ofSeconds(2));
    }

    private OutboxMessage commit(String key) {
        OutboxMessage message = OutboxMessage.builder("t").key(key).type("x").build();
        InMemoryTransaction transaction = store.begin();
        transaction.enqueue(message);
        transaction.commit();
        return message;
    }

    private void pass(Duration time) {
        long end = clock.nanoTime() + time.toNanos();
        while (clock.nanoTime() - end < 0) {
            relay.workers().get(0).step();
            clock.advance(Duration.ofMillis(200));
        }
    }

    /** Ends a send only when the test does. */
    private final class Endless implements Destination {

        @Override
        public String name() {
            return "endless";
        }

        @Override
        public Duration deliveryTimeout() {
            return TIMEOUT;
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            begun.add(message.id());
            return sends.computeIfAbsent(message.id(), id -> new CompletableFuture<>());
        }
    }
}
