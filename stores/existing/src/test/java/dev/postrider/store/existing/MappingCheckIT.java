package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.relay.Relay;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.NotOnTidb;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A mapping is compared with the real table, and everything that does not fit is said at once. */
class MappingCheckIT {

    @ParameterizedTest
    @EnumSource(Server.class)
    void fitsTheTablesThatEachPresetPrintsForTheServer(Server server) {
        List<Preset> printed = Arrays.stream(Preset.values())
                .filter(preset -> preset.databases().contains(server.label()))
                .toList();

        assertThat(printed).isNotEmpty().allSatisfy(preset -> {
            Tables tables = Tables.empty(server, preset);
            if (preset != Preset.RELAY_LOCK) {
                tables.insert(1);
                assertThat(tables.leaderStore().stats().undelivered()).isOne();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void namesEveryColumnThatIsMissingOrOfAnotherType(Server server) {
        Tables tables = Tables.empty(server, Preset.OUTBOX_EVENTS);
        TableMapping wrong = Preset.OUTBOX_EVENTS.mapping().toBuilder()
                .column(Role.ATTEMPTS, "entity_id")
                .column(Role.NEXT_ATTEMPT, "due")
                .column(Role.HEADERS, "created_at")
                .deadTable("graveyard")
                .build();

        assertThatThrownBy(() -> Tables.builder(tables.dataSource(), wrong).build())
                .isInstanceOfSatisfying(
                        MappingException.class,
                        report -> assertThat(report.problems())
                                .hasSize(4)
                                .anyMatch(text -> text.contains(
                                        "column due, mapped as next-attempt, is missing; the table has id"))
                                .anyMatch(text -> text.contains("entity_id, mapped as attempts, is of type")
                                        && text.contains("expected number"))
                                .anyMatch(text -> text.contains("created_at, mapped as headers"))
                                .anyMatch(text -> text.contains("no table graveyard")));
    }

    @Test
    void namesAStatusThatTheColumnCannotHold() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS);
        TableMapping wrong = Preset.ENUM_STATUS.mapping().toBuilder()
                .status(StatusValues.of("status", "new").withSending("sending").withDelivered("sent"))
                .build();

        assertThatThrownBy(() -> Tables.builder(tables.dataSource(), wrong).build())
                .hasMessageContaining("status 'new' is not among the values of column status: enum('pending'");
    }

    @Test
    void namesAStatusThatAnEnumOrABooleanOfPostgresCannotHold() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.RELAY_LOCK);
        tables.execute("DROP TABLE IF EXISTS flagged");
        tables.execute("DROP TYPE IF EXISTS mood");
        tables.execute("CREATE TYPE mood AS ENUM ('new', 'don''t')");
        tables.execute(
                "CREATE TABLE flagged (id BIGINT PRIMARY KEY, type TEXT, payload TEXT, mood mood, done BOOLEAN)");
        TableMapping.Builder mapping = TableMapping.builder("flagged");

        assertThatThrownBy(() -> Tables.builder(
                                tables.dataSource(),
                                mapping.status(StatusValues.of("mood", "new").withDelivered("old"))
                                        .build())
                        .build())
                .hasMessageContaining("status 'old' is not among the values of column mood: enum('new','don''t')");
        assertThatThrownBy(() -> Tables.builder(
                                tables.dataSource(),
                                mapping.status(StatusValues.of("done", "no").withDelivered("true"))
                                        .build())
                        .build())
                .hasMessageContaining("status 'no' is neither true nor false");
        tables.execute("INSERT INTO flagged VALUES (1, 'T', '{}', 'new', false)");
        OutboxStore store = Tables.builder(
                        tables.dataSource(),
                        mapping.status(StatusValues.of("done", "false").withDelivered("true"))
                                .build())
                .build();
        Relay.builder(store, new RecordingDestination("broker"))
                .ordering(Ordering.NONE)
                .build()
                .drainOnce();
        assertThat(tables.value("SELECT done FROM flagged")).isEqualTo("t");
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void namesPartitionsThatAreNotAsExpected(Server server) {
        Tables tables = Tables.empty(server, Preset.RELAY_LOCK);
        String bound = "PARTITION p1 VALUES LESS THAN (100)";
        String tail = ", PARTITION pmax VALUES LESS THAN (MAXVALUE)";
        for (String partitions : new String[] {
            "",
            "PARTITION BY HASH (created_ts) PARTITIONS 4",
            "PARTITION BY RANGE (other) (" + bound + tail + ")",
            "PARTITION BY RANGE (created_ts) (" + bound + ")"
        }) {
            tables.execute("DROP TABLE IF EXISTS parted");
            tables.execute(
                    "CREATE TABLE parted (id BIGINT, type TEXT, payload TEXT, created_ts BIGINT, other BIGINT, PRIMARY KEY (id, created_ts, other)) "
                            + partitions);
            TableMapping mapping = TableMapping.builder("parted")
                    .column(Role.PARTITION, "created_ts")
                    .build();
            assertThatThrownBy(
                            () -> Tables.builder(tables.dataSource(), mapping).build())
                    .as(partitions)
                    .hasMessageContaining("not partitioned by range of column created_ts")
                    .hasMessageContaining("MAXVALUE");
        }
    }

    @Test
    void namesColumnsThatATableForGivenUpRowsLacks() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.execute("CREATE TABLE IF NOT EXISTS small_graves (id UUID, payload JSONB)");
        TableMapping mapping = Preset.EVENT_OUTBOX.mapping().toBuilder()
                .deadTable("small_graves")
                .build();

        assertThatThrownBy(() -> Tables.builder(tables.dataSource(), mapping).build())
                .hasMessageContaining(
                        "table small_graves, to which rows are moved, lacks column event_id, mapped as message-id")
                .hasMessageContaining("retry_count, mapped as attempts");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL"})
    void namesWhatKeepsRowsFromBeingMovedToEachOfTheirTables(Server server) {
        Tables tables = Tables.empty(server, Preset.RELAY_LOCK);
        tables.execute("DROP TABLE IF EXISTS moving, moved, buried, archived");
        tables.execute(
                "CREATE TABLE moving (id VARCHAR(40) PRIMARY KEY, type VARCHAR(40), payload VARCHAR(100), done TIMESTAMP NULL)");
        tables.execute("CREATE TABLE moved (id VARCHAR(40), payload VARCHAR(50), done TIMESTAMP NULL)");
        tables.execute("CREATE TABLE buried (id VARCHAR(40), payload VARCHAR(100), why VARCHAR(10) NOT NULL)");
        tables.execute("CREATE TABLE archived (id VARCHAR(40), done TIMESTAMP NULL)");
        TableMapping mapping = TableMapping.builder("moving")
                .column(Role.DELIVERED, "done")
                .deliveredTable("moved")
                .deadTable("buried")
                .build();

        assertThatThrownBy(() -> Tables.builder(tables.dataSource(), mapping)
                        .archiveTable("archived")
                        .build())
                .isInstanceOfSatisfying(
                        MappingException.class,
                        report -> assertThat(report.problems())
                                .containsExactlyInAnyOrder(
                                        "column payload of table moved, to which rows are moved, holds 50 characters, but that of table moving 100",
                                        "table buried, to which rows are moved, lacks column type, mapped as type",
                                        "column why of table buried, to which rows are moved, needs a value, but table moving has none for it",
                                        "table archived, to which rows are moved, lacks column payload, which table moved has"));
    }

    @Test
    void namesATypeToWhichPostgresMovesNoRow() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.execute("CREATE TABLE IF NOT EXISTS odd_archive (LIKE event_outbox INCLUDING ALL)");
        tables.execute("ALTER TABLE odd_archive ALTER COLUMN payload TYPE bytea USING NULL");

        assertThatThrownBy(() -> tables.store().archiveTable("odd_archive").build())
                .isInstanceOf(MappingException.class)
                .hasMessageContaining("rows cannot be moved to table odd_archive")
                .hasMessageContaining("payload");
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    @NotOnTidb("it has no CREATE TABLE AS SELECT, by which this test makes its table")
    void refusesALockTableInWhichTwoRelaysCouldHoldTheSameLock(Server server) {
        Tables tables = Tables.empty(server, Preset.OUTBOX_EVENTS);
        tables.execute("DROP TABLE IF EXISTS loose_lock");
        tables.execute("CREATE TABLE loose_lock AS SELECT * FROM relay_lock");

        assertThatThrownBy(() ->
                        tables.store().leader("relay").lockTable("loose_lock").build())
                .hasMessageContaining("column name is neither the primary key nor unique");
    }

    @Test
    void refusesToClaimRowsOfTidbAndSaysWhy() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.RECORDS);

        assertThatThrownBy(() -> StatusOutboxStore.builder(tables.dataSource(), Preset.RECORDS.mapping())
                        .database(Database.TIDB)
                        .build())
                .hasMessageContaining("TiDB reads SKIP LOCKED and locks nothing by it")
                .hasMessageContaining("move layout");
    }

    @Test
    void namesATableThatDoesNotExist() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        TableMapping other =
                Preset.EVENT_OUTBOX.mapping().toBuilder().table("nowhere").build();

        assertThatThrownBy(() -> Tables.builder(tables.dataSource(), other).build())
                .hasMessageContaining("There is no table nowhere in this database");
    }

    @Test
    void refusesAWindowOnATableWithoutPartitions() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.RECORDS);

        assertThatThrownBy(() ->
                        tables.store().window(java.time.Duration.ofHours(1)).build())
                .hasMessageContaining("a window needs a partitioned table");
    }

    @Test
    void refusesToKeepOrderAmongCompetingRelays() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        OutboxStore store = tables.store().build();

        assertThatThrownBy(() -> Relay.withDefaults(store, new RecordingDestination("broker")))
                .hasMessageContainingAll(
                        "event_outbox cannot keep Ordering.PER_KEY, only Ordering.NONE",
                        "To keep the order of each key, set leader(RELAY_NAME)",
                        "choose Ordering.NONE");
        assertThatThrownBy(() -> Relay.builder(store, new RecordingDestination("broker"))
                        .ordering(Ordering.GLOBAL)
                        .build())
                .hasMessageContaining("set leader(RELAY_NAME)");
    }
}
