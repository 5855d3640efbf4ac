package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.maintenance.Cleanup;
import dev.postrider.micrometer.PostriderMetrics;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.relay.StoreOperation;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.RecordingDestination;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What users expect of a relay, over each kind of existing table on each kind of server. */
@Timeout(120)
class RelayBehavioursIT {

    private static final String LAYOUTS = "dev.postrider.store.existing.Layouts#all";
    private static final String LEADERS = "dev.postrider.store.existing.Layouts#leaders";
    private static final Duration LONG = Duration.ofSeconds(60);

    private final RecordingDestination broker = new RecordingDestination("broker");
    private final Heard heard = new Heard();

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void tellsAListenerOnceOfEachFailureAndOfNoneInAnOutage(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(3);
        AtomicBoolean isCut = new AtomicBoolean(true);
        Set<String> failedOnce = ConcurrentHashMap.newKeySet();
        broker.answer(message -> {
            if (isCut.getAndSet(false)) {
                return DeliveryResult.outage("cut");
            }
            boolean isFailing = message.id().toString().equals(ids.get(1)) && failedOnce.add(ids.get(1));
            return isFailing ? DeliveryResult.retry("busy") : DeliveryResult.DELIVERED;
        });

        try (Relay relay = relay(tables.store().build()).build()) {
            relay.start();
            broker.awaitDelivered(3, LONG);
        }

        assertThat(heard.failed()).containsExactly(ids.get(1));
        assertThat(heard.notReached()).isPositive();
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void recordsNothingByHalvesAndSaysSoWhenOutcomesCannotBeRecorded(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(5);
        CutDataSource cut = new CutDataSource(tables.dataSource());
        broker.hold();

        try (Relay relay = relay(store(tables, cut)).build()) {
            relay.start();
            broker.awaitSent(5, LONG);
            cut.cutBefore(0);
            broker.release();
            heard.awaitFailures(StoreOperation.SETTLE, 1);
            assertThat(tables.store().build().stats().undelivered()).isEqualTo(5);
            cut.heal();
        }

        drain(tables);
        assertThat(Set.copyOf(CompetingRelaysIT.idsOf(broker.delivered()))).isEqualTo(Set.copyOf(ids));
        assertThat(tables.store().build().stats().undelivered()).isZero();
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void saysOnceThatASendExceedsItsTimeLimitAndNeverRepeatsItMeanwhile(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(2);
        broker.hold();

        try (Relay relay = relay(tables.store().build(), OddDestination.impatient(broker))
                .deliveryTimeout(Duration.ofMillis(50))
                .build()) {
            relay.start();
            heard.awaitOverdue(2);
            broker.release();
            broker.awaitDelivered(2, LONG);
        }

        assertThat(heard.overdue()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(CompetingRelaysIT.idsOf(broker.sent())).containsExactlyInAnyOrderElementsOf(ids);
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void containsAndReportsTheCrashOfAWorkerAndLosesNothing(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(10);
        OddDestination odd = OddDestination.broken(broker);

        try (Relay relay = relay(tables.store().build(), odd).build()) {
            relay.start();
            heard.awaitCrash();
            odd.mend();
        }

        drain(tables);
        assertThat(Set.copyOf(CompetingRelaysIT.idsOf(broker.delivered()))).isEqualTo(Set.copyOf(ids));
        assertThat(tables.store().build().stats().undelivered()).isZero();
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void sendsNothingWhileTheDatabaseFailsAndGoesOnLooking(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(3);
        CutDataSource cut = new CutDataSource(tables.dataSource());

        try (Relay relay = relay(store(tables, cut)).build()) {
            cut.cutBefore(0);
            relay.start();
            heard.awaitFailures(StoreOperation.FETCH, 3);
            assertThat(broker.sent()).isEmpty();
            cut.heal();
            broker.awaitDelivered(3, LONG);
        }
    }

    @ParameterizedTest
    @MethodSource(LEADERS)
    void sendsOneMessageAtATimeWhenToldTo(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(20);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        try (Destination narrow = Destination.blocking("narrow", message -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
        })) {
            Relay relay =
                    Relay.builder(tables.leaderStore(), narrow).maxInFlight(1).build();
            assertThat(relay.drainOnce().delivered()).isEqualTo(20);
        }

        assertThat(most).hasValue(1);
        assertThat(tables.leaderStore().stats().undelivered()).isZero();
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void relaysARowOnceItsBusinessTransactionHasCommittedAndNoneThatWasRolledBack(Server server, Preset preset)
            throws SQLException {
        Tables tables = Tables.empty(server, preset);
        tables.execute("CREATE TABLE IF NOT EXISTS business (id VARCHAR(36) PRIMARY KEY)");
        tables.execute("DELETE FROM business");

        try (Connection writer = tables.dataSource().getConnection()) {
            writer.setAutoCommit(false);
            insertWithBusinessRow(tables, writer);
            drain(tables);
            assertThat(broker.sent()).isEmpty();
            writer.rollback();
            drain(tables);
            assertThat(broker.sent()).isEmpty();

            String id = insertWithBusinessRow(tables, writer);
            writer.commit();
            drain(tables);
            assertThat(CompetingRelaysIT.idsOf(broker.sent())).containsExactly(id);
            assertThat(tables.column("SELECT id FROM business")).containsExactly(id);
        }
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void countsTheBacklogOnceInEachIntervalAndEveryDelivery(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(3);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        OutboxStore store = tables.store().build();

        try (PostriderMetrics metrics = PostriderMetrics.builder(store, registry)
                .statsInterval(Duration.ofHours(1))
                .build()) {
            heard.await(() -> undelivered(registry) == 3);
            relay(store).listener(metrics.relayListener()).build().drainOnce();

            assertThat(registry.get("postrider.messages.delivered").counter().count())
                    .isEqualTo(3);
            assertThat(undelivered(registry)).isEqualTo(3);
        }
        tables.insert(2);
        SimpleMeterRegistry again = new SimpleMeterRegistry();
        try (PostriderMetrics often = PostriderMetrics.builder(store, again)
                .statsInterval(Duration.ofMillis(100))
                .build()) {
            heard.await(() -> undelivered(again) == 2);
            relay(store).listener(often.relayListener()).build().drainOnce();
            heard.await(() -> undelivered(again) == 0);
        }
    }

    private static double undelivered(SimpleMeterRegistry registry) {
        return registry.get("postrider.outbox.undelivered").gauge().value();
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void runsWithDefaultsAndRefusesBadOptions(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(3);
        OutboxStore store = tables.store().build();
        RelayBuilder relay = Relay.builder(store, broker).ordering(Ordering.NONE);

        assertThatThrownBy(() -> relay.batchSize(0)).hasMessageContaining("batchSize");
        assertThatThrownBy(() -> relay.maxInFlight(-1)).hasMessageContaining("maxInFlight");
        assertThat(relay.build().drainOnce().delivered()).isEqualTo(3);

        assertThatThrownBy(() -> Cleanup.builder(store, Duration.ofSeconds(-1))).hasMessageContaining("retention");
        assertThatThrownBy(() -> Cleanup.builder(store, Duration.ofDays(1)).limit(-1))
                .hasMessageContaining("limit");
        assertThat(Cleanup.builder(store, Duration.ofDays(1)).build().runOnce().total())
                .isZero();
    }

    private static String insertWithBusinessRow(Tables tables, Connection writer) throws SQLException {
        String id = tables.insert(writer, "key", "{\"n\": 0}");
        writer.createStatement().executeUpdate("INSERT INTO business VALUES ('" + id + "')");
        return id;
    }

    private static OutboxStore store(Tables tables, CutDataSource cut) {
        return Tables.builder(cut.dataSource(), tables.preset.mapping()).build();
    }

    private void drain(Tables tables) {
        relay(tables.store().build()).build().drainOnce();
    }

    private RelayBuilder relay(OutboxStore store) {
        return relay(store, broker);
    }

    private RelayBuilder relay(OutboxStore store, Destination destination) {
        return Relay.builder(store, destination)
                .ordering(Ordering.NONE)
                .lease(LONG)
                .deliveryTimeout(Duration.ofSeconds(1))
                .maxPollInterval(Duration.ofMillis(10))
                .backoff(Backoff.constant(Duration.ofMillis(10)))
                .outageBackoff(Backoff.constant(Duration.ofMillis(10)))
                .listener(heard);
    }
}
