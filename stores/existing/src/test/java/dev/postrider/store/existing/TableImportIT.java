package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.NotOnTidb;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Undelivered rows move into an outbox of Postrider: all of them, once, in order. */
class TableImportIT {

    static Stream<Arguments> sources() {
        return Stream.of(
                Arguments.of(Server.POSTGRES, Preset.EVENT_OUTBOX),
                Arguments.of(Server.POSTGRES, Preset.OUTBOX_EVENTS),
                Arguments.of(Server.MYSQL, Preset.RECORDS),
                Arguments.of(Server.MYSQL, Preset.ENUM_STATUS),
                Arguments.of(Server.MYSQL, Preset.PENDING_WAIT));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void movesEveryUndeliveredRowInOrderAndChangesNothingInADryRun(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(23);
        OutboxStore outbox = outbox(server, tables.dataSource());
        TableImport rows = from(tables).batchRows(5).into(outbox);

        assertThat(rows.dryRun()).isEqualTo(new ImportReport(23, 0, 0, true));
        assertThat(outbox.stats().undelivered()).isZero();

        assertThat(rows.run()).isEqualTo(new ImportReport(23, 0, 0, false));
        assertThat(rows.run()).isEqualTo(new ImportReport(0, 0, 0, false));

        RecordingDestination broker = new RecordingDestination("broker");
        Relay.withDefaults(outbox, broker).drainOnce();
        assertThat(CompetingRelaysIT.idsOf(broker.delivered())).containsExactlyInAnyOrderElementsOf(ids);
        for (int key = 0; key < 5; key++) {
            String name = "key-" + key;
            List<String> ofKey = ids.subList(0, 23).stream()
                    .filter(id -> ids.indexOf(id) % 5 == Integer.parseInt(name.substring(4)))
                    .toList();
            assertThat(CompetingRelaysIT.idsOf(broker.delivered().stream()
                            .filter(message -> message.key().equals(Optional.of(name)))
                            .toList()))
                    .isEqualTo(ofKey);
        }
    }

    @Test
    void takesRowsThatWaitForARetryButLeavesThoseThatARelayIsSendingOrThatAreGivenUp() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS);
        tables.insert(5);
        List<String> keys = tables.column("SELECT id FROM outbox ORDER BY id");
        tables.execute("UPDATE outbox SET status = 'failed', attempts = 2, next_attempt_at = '2030-01-01' WHERE id = "
                + keys.get(0));
        tables.execute(
                "UPDATE outbox SET status = 'sending', next_attempt_at = '2030-01-01' WHERE id = " + keys.get(1));
        tables.execute(
                "UPDATE outbox SET status = 'sending', next_attempt_at = '2020-01-01' WHERE id = " + keys.get(2));
        tables.execute("UPDATE outbox SET status = 'failed', attempts = 5 WHERE id = " + keys.get(3));

        ImportReport report =
                from(tables).into(outbox(Server.MYSQL, tables.dataSource())).run();

        assertThat(report).isEqualTo(new ImportReport(3, 0, 1, false));
        assertThat(tables.column("SELECT status FROM outbox ORDER BY id"))
                .containsExactly("sent", "sending", "sent", "failed", "sent");
    }

    @Test
    @NotOnTidb("nobody can claim rows there, see refusesToClaimRowsOfTidbAndSaysWhy")
    void leavesRowsThatARelayMayHaveClaimedWhereNoStatusTellsThemFromWaitingOnes() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS);
        TableMapping mapping = Preset.ENUM_STATUS.mapping().toBuilder()
                .status(StatusValues.of("status", "pending").withDelivered("sent"))
                .build();
        tables.insert("claimed", "{}");
        assertThat(new Hands(Tables.builder(tables.dataSource(), mapping).build(), Duration.ofHours(1)).take())
                .hasSize(1);
        tables.insert("claimed", "{}");
        tables.insert("CLAIMED", "{}");
        String blocked = tables.insert("blocked", "{}");
        tables.execute("UPDATE outbox SET next_attempt_at = '9999-12-31', attempts = 4 WHERE event_id = ?", blocked);
        TableImport rows =
                TableImport.from(tables.dataSource(), mapping).into(outbox(Server.MYSQL, tables.dataSource()));

        assertThat(rows.dryRun()).isEqualTo(new ImportReport(2, 0, 2, true));
        assertThat(rows.run()).isEqualTo(new ImportReport(2, 0, 2, false));
        assertThat(tables.column("SELECT aggregate_id FROM outbox WHERE status = 'sent' ORDER BY id"))
                .containsExactly("CLAIMED", "blocked");
    }

    @Test
    void takesRowsOfTheSameNumberInTablesOfTheSameNameForDifferentOnes() {
        try (HikariDataSource first = Server.pool(Server.MYSQL.newDatabase(), "");
                HikariDataSource second = Server.pool(Server.MYSQL.newDatabase(), "");
                HikariDataSource target = Server.pool(Server.POSTGRES.newDatabase(), "")) {
            OutboxStore outbox = outbox(Server.POSTGRES, target);
            for (DataSource source : List.of(first, second)) {
                Tables.execute(source, "CREATE TABLE numbered (id BIGINT PRIMARY KEY, type TEXT, payload TEXT)");
                Tables.execute(source, Preset.ENUM_STATUS.ddl("mysql"));
                for (int n = 1; n <= 3; n++) {
                    Tables.execute(source, "INSERT INTO numbered VALUES (?, 'Placed', 'equal')", n);
                    Tables.execute(
                            source,
                            "INSERT INTO outbox (event_id, aggregate_type, aggregate_id, event_type, payload) VALUES (UUID(), 'a', 'k', 't', '{}')");
                }
                for (TableMapping mapping :
                        List.of(TableMapping.builder("numbered").build(), Preset.ENUM_STATUS.mapping())) {
                    assertThat(TableImport.from(source, mapping)
                                    .target(target)
                                    .into(outbox)
                                    .run())
                            .isEqualTo(new ImportReport(3, 0, 0, false));
                }
            }
            RecordingDestination broker = new RecordingDestination("broker");
            Relay.withDefaults(outbox, broker).drainOnce();
            assertThat(CompetingRelaysIT.idsOf(broker.delivered())).hasSize(12).doesNotHaveDuplicates();
        }
    }

    @Test
    void takesNothingWhileARelayLeadsAndLetsNoneLeadBeforeItHasEnded() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        tables.insert(2);
        OutboxStore old = MoveOutboxStore.builder(tables.dataSource()).build();
        Hands relay = new Hands(old, Duration.ofHours(1));
        TableImport rows = from(tables).into(outbox(Server.MYSQL, tables.dataSource()));

        assertThatThrownBy(rows::run)
                .hasMessageContaining("A relay holds the lease 'outbox-relay'")
                .hasMessageContaining("stop it");
        assertThat(tables.count("1 = 1")).isEqualTo(2);

        old.leases().release(List.of(relay.renewal()));
        assertThat(rows.run()).isEqualTo(new ImportReport(2, 0, 0, false));
        assertThat(old.leases().take(0, "next", Duration.ofSeconds(1))).isPresent();
    }

    @Test
    void takesNothingWhileALeaderSendsTheTableAndSeesOneWhoseLeaseIsNotNamed() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.insert(2);
        OutboxStore old = tables.leaderStore();
        Hands relay = new Hands(old, Duration.ofHours(1));
        OutboxStore outbox = outbox(Server.POSTGRES, tables.dataSource());
        TableImport named = TableImport.from(tables.store().leader("relay")).into(outbox);
        TableImport unnamed = from(tables).into(outbox);

        assertThat(named.dryRun()).isEqualTo(new ImportReport(2, 0, 0, true, 0, Set.of("relay")));
        assertThatThrownBy(named::run).hasMessageContaining("A relay holds the lease 'relay'");
        assertThat(tables.count("published_at IS NULL")).isEqualTo(2);
        assertThat(unnamed.dryRun().leaders()).containsExactly("relay");

        old.leases().release(List.of(relay.renewal()));
        assertThat(unnamed.dryRun().leaders()).isEmpty();
        assertThat(named.run()).isEqualTo(new ImportReport(2, 0, 0, false));
    }

    /** As two servers have tables of the same name in databases of the same name. */
    @Test
    void saysHowManyRowsAnImportOfTheSameOriginHadWrittenAlready() {
        TableMapping mapping = TableMapping.builder("numbered").origin("same").build();
        try (HikariDataSource first = Server.pool(Server.MYSQL.newDatabase(), "");
                HikariDataSource second = Server.pool(Server.MYSQL.newDatabase(), "");
                HikariDataSource target = Server.pool(Server.POSTGRES.newDatabase(), "")) {
            OutboxStore outbox = outbox(Server.POSTGRES, target);
            List<Long> known = new ArrayList<>();
            for (DataSource source : List.of(first, second)) {
                Tables.execute(source, "CREATE TABLE numbered (id BIGINT PRIMARY KEY, type TEXT, payload TEXT)");
                Tables.execute(source, "INSERT INTO numbered VALUES (1, 'Placed', 'equal'), (2, 'Placed', 'equal')");
                known.add(TableImport.from(source, mapping)
                        .target(target)
                        .into(outbox)
                        .run()
                        .known());
            }
            assertThat(known).containsExactly(0L, 2L);
        }
    }

    @Test
    void leavesRowsThatAreNoMessagesWhereTheyAre() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.insert(2);
        tables.execute(
                "INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload, metadata) VALUES ('odd', 'T', 'k', '{}', '[1]')");

        ImportReport report =
                from(tables).into(outbox(Server.POSTGRES, tables.dataSource())).run();

        assertThat(report).isEqualTo(new ImportReport(2, 1, 1, false));
    }

    @Test
    void keepsOddTextsHugePayloadsAndNullsAsTheyAreAndLeavesWhatIsTooLarge() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.OUTBOX_EVENTS);
        String oddKey = "'; DROP TABLE x; -- \\ \" \uD83D\uDE00 ${x} %s ?";
        String odd = oddKey + " \u0000 \r\n\t";
        String huge = "x".repeat(1_000_000);
        tables.insert(oddKey, odd);
        tables.insert("", "");
        tables.insert("huge", huge);
        tables.insert("too large", huge + huge);
        OutboxStore outbox = outbox(Server.MYSQL, tables.dataSource());

        assertThat(from(tables).into(outbox).dryRun()).isEqualTo(new ImportReport(3, 1, 1, true));
        assertThat(from(tables).into(outbox).run()).isEqualTo(new ImportReport(3, 1, 1, false));

        RecordingDestination broker = new RecordingDestination("broker");
        Relay.withDefaults(outbox, broker).drainOnce();
        assertThat(broker.delivered())
                .extracting(message -> new String(message.payload(), StandardCharsets.UTF_8))
                .containsExactlyInAnyOrder(odd, "", huge);
        assertThat(broker.delivered())
                .extracting(OutboxMessage::key)
                .containsExactlyInAnyOrder(Optional.of(oddKey), Optional.empty(), Optional.of("huge"));
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "POSTGRES"})
    void keepsIdsThatAreNoUuids(Server server) {
        Tables tables = Tables.empty(server, Preset.OUTBOX_EVENTS);
        List<String> ids = List.of("user-created-123", "0190A3F2-7C1E-7B3A-9F00-123456789ABC", "größe\n日本");
        ids.forEach(id ->
                tables.execute("INSERT INTO outbox_events (id, entity_id, message) VALUES (?, 'user-1', '{}')", id));
        OutboxStore outbox = outbox(server, tables.dataSource());

        assertThat(from(tables).into(outbox).run()).isEqualTo(new ImportReport(3, 0, 0, false));

        RecordingDestination broker = new RecordingDestination("broker");
        Relay.withDefaults(outbox, broker).drainOnce();
        assertThat(broker.delivered())
                .extracting(message -> message.id().text())
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    /** What breaks the rules of CloudEvents is sent from the new outbox as the old relay sent it. */
    @Test
    void keepsAttributesAsTheyWereWritten() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        tables.execute("""
            INSERT INTO outbox_pending (id, metadata, data, create_time) VALUES (UNHEX('01900000000070008000000000000001'), JSON_OBJECT(
              'SpecVersion', '1.0', 'Type', 'a.T', 'Source', 'my shop', 'Subject', 'two\nlines', 'ID', 'order-42',
              'Extensions', JSON_OBJECT('traceID', 't-1', 'tenant-id', 'blue', 'shard', 7, 'isnew', true)), '{}', UTC_TIMESTAMP(6))\
            """);
        OutboxStore outbox = outbox(Server.MYSQL, tables.dataSource());

        assertThat(from(tables).into(outbox).run()).isEqualTo(new ImportReport(1, 0, 0, false));

        RecordingDestination broker = new RecordingDestination("broker");
        Relay.withDefaults(outbox, broker).drainOnce();
        CloudEventAttributes event = CloudEventAttributes.of(broker.delivered().get(0), "/");
        assertThat(event.id()).isEqualTo("order-42");
        assertThat(event.source()).isEqualTo("my shop");
        assertThat(event.subject()).contains("two\nlines");
        assertThat(event.extensions().keySet()).containsExactlyInAnyOrder("traceID", "tenant-id", "shard", "isnew");
        assertThat(event.value("shard")).contains(7.0);
        assertThat(event.value("isnew")).contains(true);
    }

    private static TableImport.Builder from(Tables tables) {
        return from(tables.preset, tables.dataSource());
    }

    static TableImport.Builder from(Preset preset, DataSource dataSource) {
        return preset == Preset.PENDING_WAIT
                ? TableImport.from(MoveOutboxStore.builder(dataSource))
                : TableImport.from(dataSource, preset.mapping());
    }

    static OutboxStore outbox(Server server, DataSource dataSource) {
        String prefix = "po" + Long.toString(System.nanoTime(), 36);
        return server == Server.POSTGRES
                ? PostgresOutboxStore.builder(dataSource)
                        .prefix(prefix)
                        .lanes(4)
                        .schemaMode(SchemaMode.CREATE)
                        .build()
                : MysqlOutboxStore.builder(dataSource)
                        .prefix(prefix)
                        .lanes(4)
                        .schemaMode(SchemaMode.CREATE)
                        .build();
    }
}
