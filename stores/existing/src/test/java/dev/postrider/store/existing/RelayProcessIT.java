package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.Relay;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.existing.RelayChild.Broker;
import dev.postrider.store.existing.RelayChild.Sent;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.NotOnTidb;
import dev.postrider.testservers.ShiftedClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays in processes of their own: killed while they send, or with a wrong clock. */
@Timeout(180)
class RelayProcessIT {

    private static final Duration LONG = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource(Layout.class)
    void deliversWhatAKilledRelayHadClaimedAndLeavesNoRowInItsHands(Layout layout) throws InterruptedException {
        Tables tables = layout.empty();
        List<String> ids = tables.insert(3);
        try (RelayChild child = RelayChild.start(tables, layout, Broker.SILENT, Map.of())) {
            await(() -> !child.sent().isEmpty());
            child.kill();
        }

        RecordingDestination broker = new RecordingDestination("broker");
        OutboxStore store = layout.store(tables.dataSource());
        try (Relay relay = Relay.builder(store, broker).ordering(Ordering.NONE).build()) {
            relay.start();
            broker.awaitDelivered(3, LONG);
        }

        assertThat(CompetingRelaysIT.idsOf(broker.delivered())).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(store.stats().undelivered()).isZero();
        assertThat(store.stats().dead()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    @NotOnTidb("nobody can claim rows there, see refusesToClaimRowsOfTidbAndSaysWhy")
    void clocksOfRelaysMoveNeitherClaimsNorDueTimes(int hours) throws InterruptedException {
        Tables tables = Layout.NEXT_ATTEMPT.empty();
        tables.insert(3);
        Hands other = new Hands(tables.store().build(), Duration.ofMinutes(10));
        assertThat(other.take()).hasSize(3);
        List<String> free = List.of(tables.insert("k", "{}"), tables.insert("k", "{}"));

        try (RelayChild child = RelayChild.start(
                tables, Layout.NEXT_ATTEMPT, Broker.FAILING_ONCE, ShiftedClock.environment(Duration.ofHours(hours)))) {
            await(() -> tables.count("status = 'sent'") == 2);
            for (String id : free) {
                List<Sent> both = child.sent().stream()
                        .filter(sent -> sent.id().equals(id))
                        .toList();
                assertThat(both).hasSize(2);
                // The column holds whole seconds.
                assertThat(Duration.ofNanos(both.get(1).nanos() - both.get(0).nanos()))
                        .isGreaterThan(RelayChild.BACKOFF.minusSeconds(1));
            }
            assertThat(child.sent()).hasSize(4);
        }
        assertThat(tables.count("status = 'sending'")).isEqualTo(3);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
