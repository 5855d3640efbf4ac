package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.RowOutcome;
import dev.postrider.testkit.RecordingDestination;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables between which rows move, under a leader lease. */
class MoveOutboxStoreIT {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final RecordingDestination broker = new RecordingDestination("broker");

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void sendsMetadataAndDataAsTheyWereStoredAndMovesTheRowToCompleted(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING_WAIT);
        String id = tables.insert("book-7", "{\"n\": 0}");

        relay(store(tables)).build().drainOnce();

        OutboxMessage message = broker.delivered().get(0);
        assertThat(message.id()).hasToString(id);
        assertThat(message.topic()).isEqualTo("shop.orders.v1");
        assertThat(message.type()).isEqualTo("shop.orders.v1.OrderPlaced");
        assertThat(message.key()).contains("book-7");
        assertThat(message.contentType()).isEqualTo("application/json");
        assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo("{\"n\": 0}");
        assertThat(message.headers().asMap())
                .containsEntry("ce_source", "shop")
                .containsEntry("ce_subject", "book-7")
                .containsEntry("ce_time", "2026-01-28T10:00:00.123456789+01:00")
                .containsEntry("ce_dataschema", "https://example.com/s/1?v=2")
                .containsEntry("ce_tenant", "t1")
                .containsEntry("ce_priority", "3");
        assertThat(count(tables, "outbox_pending")).isZero();
        assertThat(tables.value(
                        "SELECT ABS(TIMESTAMPDIFF(SECOND, sent_time, UTC_TIMESTAMP())) < 60 FROM outbox_completed"))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void servesThePendingTableAloneAndKeepsTheOrderOfAKeyWhoseRowFails(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING);
        for (String key : List.of("a", "a", "b", "a")) {
            tables.insert(key, key + count(tables, "outbox_pending"));
        }
        broker.answerNext(DeliveryResult.retry("busy"));
        OutboxStore store = tables.leaderStore();

        try (Relay relay = relay(store).ordering(Ordering.PER_KEY).build()) {
            relay.start();
            broker.awaitDelivered(4, LONG);
        }

        assertThat(broker.delivered())
                .extracting(message -> new String(message.payload(), StandardCharsets.UTF_8))
                .filteredOn(payload -> payload.startsWith("a"))
                .containsExactly("a0", "a1", "a3");
        assertThat(broker.sent()).hasSize(5);
        assertThat(count(tables, "outbox_pending")).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void readsSmallRowsWhenItFindsThemAndALargeOneByItself(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING);
        String large = "x".repeat(200_000);
        List<String> payloads = List.of("first", "", large, "last");
        payloads.forEach(payload -> tables.insert("key", payload));
        CutDataSource recorded = new CutDataSource(tables.dataSource());

        relay(tables.leaderStore(recorded.dataSource())).build().drainOnce();

        assertThat(broker.delivered())
                .extracting(message -> new String(message.payload(), StandardCharsets.UTF_8))
                .isEqualTo(payloads);
        assertThat(recorded.statements)
                .filteredOn(sql -> sql.startsWith("SELECT") && sql.contains("t.id IN"))
                .singleElement()
                .asString()
                .endsWith("t.id IN (?)");
    }

    @Test
    void keepsARowThatIsGivenUpWhereItIsWithoutAParkingLot() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING);
        tables.insert(2);
        broker.answer(message ->
                message.key().equals(Optional.of("key-0")) ? DeliveryResult.reject("never") : DeliveryResult.DELIVERED);
        OutboxStore store = tables.leaderStore();

        relay(store).build().drainOnce();
        relay(store).build().drainOnce();

        assertThat(broker.sent()).hasSize(2);
        assertThat(count(tables, "outbox_pending")).isOne();
        assertThat(store.stats().dead()).isOne();
        assertThat(store.whyNotShared(OutboxStore.Part.DEAD_LETTERS)).isPresent();
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void createsTheLockTableWhenARelayWantsToLeadAndNotBefore(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING);
        OutboxStore here = tables.leaderStore();
        LaneLeases there = tables.leaderStore().leases();
        assertThat(here.stats().undelivered()).isZero();
        assertThat(here.pauses().paused()).isEmpty();
        assertThat(there.lanes()).noneMatch(LaneState::isOwned);
        assertThat(tables.column("SHOW TABLES")).containsExactly("outbox_pending");

        Lease lease = here.leases()
                .take(0, UUID.randomUUID().toString(), LONG)
                .orElseThrow()
                .lease();

        assertThat(there.take(0, UUID.randomUUID().toString(), LONG)).isEmpty();
        assertThat(there.lanes()).allMatch(LaneState::isOwned);
        here.leases().release(List.of(new Renewal(lease, Optional.empty())));
        assertThat(there.take(0, UUID.randomUUID().toString(), LONG)).isPresent();
    }

    @Test
    void saysWhatToDoIfTheLockTableIsMissingAndCannotBeCreated() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING);
        tables.execute("CREATE USER IF NOT EXISTS 'writer'@'%' IDENTIFIED BY 'Secret-1'");
        tables.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON *.* TO 'writer'@'%'");
        try (HikariDataSource restricted = tables.sameDatabase("SELECT 1")) {
            restricted.getHikariConfigMXBean().setUsername("writer");
            restricted.getHikariConfigMXBean().setPassword("Secret-1");
            OutboxStore store = tables.leaderStore(restricted);

            assertThatThrownBy(() -> store.leases().take(0, UUID.randomUUID().toString(), LONG))
                    .hasMessageContainingAll(
                            "There is no table relay_lock",
                            "CREATE command denied",
                            "schema print --preset relay-lock");
        }
    }

    /** Without a table for rows that wait, the first leader alone knows that this one does, and would hold back its key for ever. */
    @Test
    void forgetsAFailedRowThatAnotherLeaderHasDeliveredMeanwhile() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING);
        tables.insert("a", "{\"n\": 0}");
        broker.answerNext(DeliveryResult.reject("never"));
        OutboxStore first = tables.leaderStore();
        OutboxStore second = tables.leaderStore();

        blocking(first).drainOnce();
        blocking(second).drainOnce();
        assertThat(count(tables, "outbox_pending")).isZero();
        tables.insert("a", "{\"n\": 1}");
        blocking(first).drainOnce();

        assertThat(broker.delivered()).hasSize(2);
        assertThat(count(tables, "outbox_pending")).isZero();
    }

    private Relay blocking(OutboxStore store) {
        return relay(store)
                .ordering(Ordering.PER_KEY)
                .onExhausted(OnExhausted.BLOCK_KEY)
                .build();
    }

    /** It waits where failed rows wait, so a relay must not send it again before it is restarted. */
    @Test
    void keepsARowThatIsGivenUpFromBeingSentAgainWithAWaitTableAndNoParkingLot() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        tables.insert(3);
        broker.answer(message -> isFirst(message) ? DeliveryResult.reject("never") : DeliveryResult.DELIVERED);
        OutboxStore store = MoveOutboxStore.builder(tables.dataSource())
                .withoutParkingTable()
                .build();

        relay(store).ordering(Ordering.PER_KEY).build().drainOnce();
        relay(store).ordering(Ordering.PER_KEY).build().drainOnce();

        assertThat(broker.sent()).hasSize(3);
        assertThat(count(tables, "outbox_pending")).isOne();
        assertThat(count(tables, "outbox_wait")).isZero();
        assertThat(store.stats().dead()).isOne();
    }

    /** A leader whose connections hang does not know that another one leads. */
    @Test
    void recordsNothingButDeliveriesOfALeaderThatASilentNetworkHasCutOff() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        tables.insert(2);
        CutDataSource network = new CutDataSource(tables.dataSource());
        OutboxStore cutOff = MoveOutboxStore.builder(network.dataSource()).build();
        Duration lease = Duration.ofSeconds(1);
        TakenLane taken = cutOff.leases().take(0, "one", lease).orElseThrow();
        var scan = cutOff.forRelay(Ordering.PER_KEY).openScan();
        scan.add(taken);
        var rows = scan.fetch(new LaneScan.FetchRequest(Set.of(0), new NothingKnown(), Set.of(), 10, 1_000_000))
                .rows();
        network.cutBefore(0);
        assertThatThrownBy(() -> cutOff.leases().renew(List.of(new Renewal(taken.lease(), Optional.empty())), lease));

        LaneLeases others = store(tables).leases();
        Optional<TakenLane> next = others.take(0, "two", LONG);
        while (next.isEmpty()) {
            next = others.take(0, "two", LONG);
        }
        network.heal();

        assertThat(cutOff.leases().renew(List.of(new Renewal(taken.lease(), Optional.empty())), lease))
                .isEmpty();
        assertThatThrownBy(() -> cutOff.forRelay(Ordering.PER_KEY)
                        .settle(
                                taken.lease(),
                                List.of(RowOutcome.hot(
                                        rows.get(0).ref(),
                                        new RowOutcome.RetryLater("broker", 1, "late", Duration.ZERO)))))
                .isInstanceOf(LeaseLostException.class);
        cutOff.forRelay(Ordering.PER_KEY).deleteDelivered(List.of(rows.get(1).ref()));
        assertThat(count(tables, "outbox_pending")).isOne();
        assertThat(count(tables, "outbox_wait")).isZero();
    }

    @Test
    void callsAMissingTableMissingAndSaysHowToDoWithout() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING);

        assertThatThrownBy(MoveOutboxStore.builder(tables.dataSource())::build)
                .isInstanceOf(MappingException.class)
                .hasMessageContainingAll("There is no table outbox_wait in this database", "wait-table: none");
        assertThatThrownBy(Tables.pendingAlone(tables.dataSource()).pendingTable("nowhere")::build)
                .hasMessageContaining("There is no table nowhere");
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void sendsTheIdOfTheEventAndNotThatOfItsRow(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING_WAIT);
        MessageId row = MessageIdGenerator.uuidV7().next();
        MessageId event = MessageId.fromUuid(UUID.randomUUID());
        tables.execute(
                "INSERT INTO outbox_pending (id, metadata, data, create_time) VALUES (?, ?, 'x', UTC_TIMESTAMP(6))",
                row.toBytes(),
                Tables.metadata(event, "book-7"));
        broker.answer(message -> DeliveryResult.reject("no"));
        OutboxStore store = store(tables);

        relay(store).build().drainOnce();

        assertThat(broker.sent()).extracting(OutboxMessage::id).containsExactly(event);
        assertThat(store.deadLetters().find(event)).isPresent();
        assertThat(count(tables, "outbox_pending")).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void sendsAnEventIdThatIsNoUuidAsItIs(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING_WAIT);
        for (String id : List.of("order-42", "0190A3F2-7C1E-7B3A-9F00-123456789ABC")) {
            tables.execute(
                    "INSERT INTO outbox_pending (id, metadata, data, create_time) VALUES (?, ?, 'x', UTC_TIMESTAMP(6))",
                    MessageIdGenerator.uuidV7().next().toBytes(),
                    Tables.metadata(MessageId.of(id), "book-7"));
        }

        relay(store(tables)).build().drainOnce();

        assertThat(broker.delivered())
                .extracting(message -> message.id().text())
                .containsExactly("order-42", "0190A3F2-7C1E-7B3A-9F00-123456789ABC");
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void letsAFailedRowWaitAndParksItWithTheReasonWhenAttemptsRunOut(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING_WAIT);
        tables.insert(3);
        broker.answer(message -> isFirst(message) ? DeliveryResult.retry("busy") : DeliveryResult.DELIVERED);
        OutboxStore store = store(tables);

        try (Relay relay = relay(store).maxAttempts(3).build()) {
            relay.start();
            broker.awaitSent(5, LONG);
        }

        assertThat(broker.delivered()).hasSize(2);
        assertThat(tables.column("SELECT reason FROM outbox_parking_lot"))
                .containsExactly("max retries (3) exceeded: busy");
        assertThat(count(tables, "outbox_wait")).isZero();
        assertThat(store.stats().dead()).isEqualTo(1);

        broker.answer(message -> DeliveryResult.DELIVERED);
        assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "op"))
                .isEqualTo(1);
        relay(store).build().drainOnce();
        assertThat(broker.delivered()).hasSize(3);
        assertThat(count(tables, "outbox_parking_lot")).isZero();
    }

    @Test
    void keepsTheOrderOfAKeyBehindARowThatWaits() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        List<String> ids = tables.insert(10);
        boolean[] isFailing = {true};
        broker.answer(message -> isFirst(message) && isFailing[0] && !(isFailing[0] = false)
                ? DeliveryResult.retry("busy")
                : DeliveryResult.DELIVERED);

        try (Relay relay = relay(store(tables)).ordering(Ordering.PER_KEY).build()) {
            relay.start();
            broker.awaitDelivered(10, LONG);
        }

        assertThat(CompetingRelaysIT.idsOf(broker.delivered().stream()
                        .filter(message -> message.key().equals(Optional.of("key-0")))
                        .toList()))
                .containsExactly(ids.get(0), ids.get(5));
    }

    @Test
    void bringsBackExactlyTheRowsThatAreDue() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        tables.insert(30);
        tables.execute(
                "INSERT INTO outbox_wait SELECT id, metadata, data, create_time, 1, DATE_ADD(UTC_TIMESTAMP(6), INTERVAL IF(MOD(ORD(RIGHT(id, 1)), 2) = 0, -1, 3600) SECOND) FROM outbox_pending");
        tables.execute("DELETE FROM outbox_pending");
        long due =
                Long.parseLong(tables.value("SELECT COUNT(*) FROM outbox_wait WHERE retry_time <= UTC_TIMESTAMP(6)"));

        var released = store(tables).forRelay(Ordering.NONE).releaseDelayed(Set.of(0), 100);

        assertThat((long) released.count()).isEqualTo(due);
        assertThat(store(tables).countsByStatus())
                .containsEntry("outbox_pending", new RowCount(due, true))
                .containsEntry("outbox_wait", new RowCount(30 - due, true));
        assertThat(count(tables, "outbox_pending")).isEqualTo(due);
        assertThat(count(tables, "outbox_wait")).isEqualTo(30 - due);
    }

    @Test
    void hasOneLeaderWhateverTheZonesOfSessionsAndHandsOverWhenTheLeaseEnds() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        Duration lease = Duration.ofSeconds(2);
        try (HikariDataSource elsewhere = tables.sameDatabase("SET time_zone = '-11:00'")) {
            OutboxStore here = store(tables);
            OutboxStore there = MoveOutboxStore.builder(elsewhere).build();

            TakenLane taken = here.leases().take(0, "one", lease).orElseThrow();
            assertThat(there.leases().take(0, "two", lease)).isEmpty();
            assertThat(there.leases().lanes().get(0).isOwned()).isTrue();
            assertThat(here.leases().renew(List.of(new Renewal(taken.lease(), Optional.empty())), lease))
                    .containsExactly(0);

            here.leases().release(List.of(new Renewal(taken.lease(), Optional.empty())));
            assertThat(there.leases().take(0, "two", lease)).isPresent();
            assertThat(here.leases().renew(List.of(new Renewal(taken.lease(), Optional.empty())), lease))
                    .isEmpty();
        }
    }

    @Test
    void refusesWhatAFormerLeaderWantsToRecord() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        tables.insert(1);
        OutboxStore store = store(tables);
        TakenLane taken = store.leases().take(0, "one", LONG).orElseThrow();
        var scan = store.forRelay(Ordering.NONE).openScan();
        scan.add(taken);
        var rows = scan.fetch(new LaneScan.FetchRequest(Set.of(0), new NothingKnown(), Set.of(), 10, 1_000_000));
        tables.execute("DELETE FROM relay_lock");
        store.leases().take(0, "two", LONG);

        assertThatThrownBy(() -> store.forRelay(Ordering.NONE)
                        .settle(
                                taken.lease(),
                                List.of(RowOutcome.hot(
                                        rows.rows().get(0).ref(),
                                        new RowOutcome.RetryLater("broker", 1, "late", Duration.ZERO)))))
                .isInstanceOf(LeaseLostException.class);
        assertThat(count(tables, "outbox_pending")).isEqualTo(1);
        assertThat(count(tables, "outbox_wait")).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void emptiesTheHoursOfTheCompletedTableThatAreTooOldAndNeverThePresentOne(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING_WAIT);
        for (int hours = 0; hours < 24; hours++) {
            tables.execute(
                    "INSERT INTO outbox_completed VALUES (UNHEX(REPLACE(UUID(), '-', '')), '{}', 'x', UTC_TIMESTAMP(6), DATE_SUB(UTC_TIMESTAMP(6), INTERVAL ? HOUR))",
                    hours);
        }
        OutboxStore store = store(tables);

        int emptied = store.maintenance().deleteSent(Duration.ofHours(3), 1000);

        assertThat(emptied).isBetween(20, 21);
        assertThat(
                        tables.column(
                                "SELECT TIMESTAMPDIFF(HOUR, sent_time, UTC_TIMESTAMP(6)) FROM outbox_completed ORDER BY sent_time DESC LIMIT 3"))
                .containsExactly("0", "1", "2");
        assertThat(store.maintenance().deleteSent(Duration.ofHours(3), 1000)).isZero();
    }

    @Test
    void namesWhatIsMissingInTheTables() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);

        assertThatThrownBy(() -> MoveOutboxStore.builder(tables.dataSource())
                        .waitTable("outbox_pending")
                        .build())
                .hasMessageContaining("Table outbox_pending")
                .hasMessageContaining("column retry_time is missing");
    }

    /** What TiDB is asked, run by MySQL: no claims, one leader. */
    @Test
    void deliversRetriesAndParksWithTheStatementsForTidb() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        tables.insert(3);
        broker.answer(message -> isFirst(message) ? DeliveryResult.retry("busy") : DeliveryResult.DELIVERED);
        OutboxStore store = MoveOutboxStore.builder(tables.dataSource())
                .completedTable("outbox_completed")
                .database(Database.TIDB)
                .build();

        try (Relay relay = relay(store).maxAttempts(2).build()) {
            relay.start();
            broker.awaitSent(4, LONG);
        }

        assertThat(count(tables, "outbox_completed")).isEqualTo(2);
        assertThat(count(tables, "outbox_parking_lot")).isEqualTo(1);
        assertThat(store.maintenance().deleteDeadLetters(Duration.ZERO, 10)).isEqualTo(1);
        assertThat(Preset.PENDING_WAIT.ddl("tidb")).isEqualTo(Preset.PENDING_WAIT.ddl("mysql"));
    }

    private static OutboxStore store(Tables tables) {
        return MoveOutboxStore.builder(tables.dataSource())
                .completedTable("outbox_completed")
                .build();
    }

    private RelayBuilder relay(OutboxStore store) {
        return Relay.builder(store, broker).ordering(Ordering.NONE).backoff(Backoff.constant(Duration.ofMillis(20)));
    }

    private static long count(Tables tables, String table) {
        return Long.parseLong(tables.value("SELECT COUNT(*) FROM " + table));
    }

    private static boolean isFirst(OutboxMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8).equals("{\"n\": 0}");
    }
}
