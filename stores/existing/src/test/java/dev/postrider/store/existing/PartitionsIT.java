package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.maintenance.PartitionReport;
import dev.postrider.message.MessageId;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.TransactionRunner;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Range partitions of an existing table: made ahead, dropped when old, never with rows that somebody still needs. */
class PartitionsIT {

    private static final Instant TODAY = Instant.now().truncatedTo(ChronoUnit.DAYS);
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'p'yyyyMMdd").withZone(ZoneOffset.UTC);

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void makesPartitionsAheadAndDropsOldOnesButNoneWithUndeliveredOrDeadRows(Server server) {
        Tables tables = partitioned(server);
        // Ended 3, 4, 5 and 6 days ago: all delivered, one undelivered, one dead, one that says nothing.
        insert(tables, 4, 1);
        insert(tables, 5, 0);
        insert(tables, 6, -1);
        tables.execute("ALTER TABLE outbox MODIFY status SMALLINT NULL DEFAULT 0");
        insert(tables, 7, null);

        PartitionReport report = PartitionKeeper.builder(tables.store().build(), PartitionPeriod.DAY)
                .lookahead(Duration.ofDays(2))
                .retention(Duration.ofDays(2))
                .build()
                .runOnce();

        assertThat(report.kept()).containsExactly(name(-7), name(-6), name(-5));
        assertThat(partitions(tables))
                .doesNotContain(name(-4), name(-10))
                .contains(name(-5), name(-6), name(-7), name(-1), name(0), name(1), "pmax")
                .endsWith("pmax");
        assertThat(tables.count("1 = 1")).isEqualTo(3);
    }

    /** No lock table, as with processes that do not know of each other. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void letsOneOfSeveralProcessesMakePartitionsWithoutALockTable(Server server) {
        Tables tables = partitioned(server);

        List<CompletableFuture<PartitionReport>> all = Stream.generate(
                        () -> PartitionKeeper.builder(tables.store().build(), PartitionPeriod.DAY)
                                .lookahead(Duration.ofDays(20))
                                .build())
                .limit(3)
                .map(keeper -> CompletableFuture.supplyAsync(keeper::runOnce))
                .toList();

        assertThat(all.stream().map(CompletableFuture::join).flatMap(report -> report.created().stream()))
                .isNotEmpty()
                .doesNotHaveDuplicates();
        assertThat(partitions(tables)).contains(name(19)).endsWith("pmax");
    }

    /** All that is left in the table is undelivered then, whatever it says. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    @NotOnTidb("it has no CREATE TABLE AS SELECT, by which this test makes its table")
    void dropsOnlyEmptyPartitionsWhereDeliveredRowsMoveToATableOfTheirOwn(Server server) {
        Tables tables = partitioned(server);
        tables.execute("DROP TABLE IF EXISTS done");
        tables.execute("CREATE TABLE done AS SELECT id, aggregate_type, aggregate_id, event_type, payload, processed_at"
                + " FROM outbox WHERE 1 = 0");
        insert(tables, 5, 0);
        TableMapping mapping = Preset.RECORDS_PARTITIONED.mapping().toBuilder()
                .deliveredTable("done")
                .build();
        OutboxStore store = Tables.builder(tables.dataSource(), mapping).build();

        PartitionKeeper.builder(store, PartitionPeriod.DAY)
                .lookahead(Duration.ofDays(2))
                .retention(Duration.ofDays(2))
                .build()
                .runOnce();

        assertThat(partitions(tables)).doesNotContain(name(-4)).contains(name(-5));
        assertThat(tables.count("1 = 1")).isOne();
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void looksIntoTheWindowOftenAndFindsOlderRowsBySlowFullLooks(Server server) {
        Tables tables = partitioned(server);
        insert(tables, 5, 0);
        RecordingDestination broker = new RecordingDestination("broker");
        OutboxStore store = tables.store()
                .window(Duration.ofHours(25))
                .fullLookInterval(Duration.ofSeconds(1))
                .build();

        try (Relay relay = Relay.builder(store, broker).ordering(Ordering.NONE).build()) {
            relay.start();
            broker.awaitDelivered(1, Duration.ofSeconds(20));
            insert(tables, 6, 0);
            insert(tables, 0, 0);
            broker.awaitDelivered(3, Duration.ofSeconds(20));
        }
        assertThat(tables.count("status = 1")).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    @NotOnTidb("nobody can claim rows there, see refusesToClaimRowsOfTidbAndSaysWhy")
    void looksBackInTurnsUntilNothingOlderIsLeftAndThenAtTheWindowOnly(Server server) {
        Tables tables = partitioned(server);
        for (int n = 0; n < 5; n++) {
            insert(tables, 5, 0);
        }
        insert(tables, 0, 0);
        OutboxStore store = tables.store()
                .batchRows(2)
                .window(Duration.ofHours(25))
                .fullLookInterval(Duration.ofDays(1))
                .build();
        Hands hands = new Hands(store, Duration.ofMinutes(1));

        assertThat(List.of(deliver(hands), deliver(hands), deliver(hands), deliver(hands), deliver(hands)))
                .containsExactly(2, 1, 2, 1, 0);
        insert(tables, 5, 0);
        insert(tables, 0, 0);
        assertThat(List.of(deliver(hands), deliver(hands))).containsExactly(1, 0);
        assertThat(tables.count("status = 0 AND created_ts < UNIX_TIMESTAMP() - 90000"))
                .isOne();
    }

    /** Writers wait meanwhile. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    @NotOnTidb("this test counts the rows that InnoDB reads; TiDB reads ahead of a limit")
    void readsFewRowsToSeeThatAllOfAPartitionWereDelivered(Server server) throws SQLException {
        Tables tables = partitioned(server);
        long millis = TODAY.minus(4, ChronoUnit.DAYS).toEpochMilli();
        tables.execute("INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload, status)"
                + " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
                + " SELECT UNHEX(CONCAT(LPAD(HEX(%d + i), 12, '0'), '70008000000000000000')), 'a', 'b', 'c', '{}', 1 FROM n"
                        .formatted(millis));
        tables.column("ANALYZE TABLE outbox");
        Database database = Database.valueOf(server.name());

        try (Connection connection = tables.dataSource().getConnection()) {
            StatusTable table = new StatusTable(
                    MappingCheck.check(connection, database, tables.preset.mapping(), Optional.empty()),
                    Optional.empty(),
                    Optional.empty());
            StatusPartitions partitions = new StatusPartitions(
                    tables.dataSource(), new TransactionRunner(tables.dataSource(), database, "test"), table);
            assertThat(PlansIT.rowsRead(connection, Sql.of(partitions.undelivered(name(-4), ""))))
                    .isLessThan(20);
        }
    }

    private static int deliver(Hands hands) {
        List<RowRef> rows = hands.fetch().rows().stream().map(OutboxRow::ref).toList();
        hands.store().forRelay(Ordering.NONE).deleteDelivered(rows);
        return rows.size();
    }

    private static Tables partitioned(Server server) {
        Tables tables = Tables.empty(server, Preset.RECORDS_PARTITIONED);
        if (partitions(tables).size() > 1) {
            tables.execute("ALTER TABLE outbox REMOVE PARTITIONING");
            tables.execute(
                    "ALTER TABLE outbox PARTITION BY RANGE (created_ts) (PARTITION pmax VALUES LESS THAN (MAXVALUE))");
        }
        for (int day = -10; day < 0; day++) {
            tables.execute(
                    "ALTER TABLE outbox REORGANIZE PARTITION pmax INTO (PARTITION %s VALUES LESS THAN (%d), PARTITION pmax VALUES LESS THAN (MAXVALUE))"
                            .formatted(
                                    name(day),
                                    TODAY.plus(day + 1L, ChronoUnit.DAYS).getEpochSecond()));
        }
        return tables;
    }

    private static void insert(Tables tables, int daysAgo, Integer status) {
        long millis = daysAgo == 0
                ? System.currentTimeMillis()
                : TODAY.minus(daysAgo, ChronoUnit.DAYS)
                        .plus(1, ChronoUnit.HOURS)
                        .toEpochMilli();
        MessageId id = new MessageId((millis << 16) | 0x7000, 0x8000_0000_0000_0000L | System.nanoTime());
        tables.execute(
                "INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload, status, processed_at) VALUES (?, 'a', 'b', 'c', '{}', ?, IF(? = 1, NOW(6), NULL))",
                id.toBytes(),
                status,
                status);
    }

    private static String name(int day) {
        return NAME.format(TODAY.plus(day, ChronoUnit.DAYS));
    }

    private static List<String> partitions(Tables tables) {
        return tables.column(
                "SELECT partition_name FROM information_schema.partitions WHERE table_name = 'outbox' AND table_schema = DATABASE() ORDER BY partition_ordinal_position");
    }
}
