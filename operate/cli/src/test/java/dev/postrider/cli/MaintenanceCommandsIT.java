package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each option of {@code partitions} and {@code cleanup} does on real servers. */
@Timeout(300)
class MaintenanceCommandsIT {

    private static final Instant TODAY = Instant.now().truncatedTo(ChronoUnit.DAYS);

    @TempDir
    private Path directory;

    private final Shell shell = new Shell();
    private Database database;
    private OutboxStore store;
    private Kind kind;

    /** A database, with what differs in statements. */
    enum Kind {
        POSTGRES("gen_random_uuid()", "INTERVAL '%d days'"),
        MYSQL("UNHEX(REPLACE(UUID(), '-', ''))", "INTERVAL %d DAY"),
        MARIADB("UNHEX(REPLACE(UUID(), '-', ''))", "INTERVAL %d DAY");

        private final String id;
        private final String days;

        Kind(String id, String days) {
            this.id = id;
            this.days = days;
        }

        private Database create() {
            if (this != MYSQL) {
                Servers.skipWithTidb();
            }
            return switch (this) {
                case POSTGRES -> Servers.postgres().createDatabase("maintenance");
                case MYSQL -> Servers.mysql().createDatabase("maintenance");
                case MARIADB -> Servers.mariadb().createDatabase("maintenance");
            };
        }

        private OutboxStore open(Database database) {
            return this == POSTGRES
                    ? PostgresOutboxStore.builder(database.dataSource())
                            .audit(AuditTrail.PARTITIONED)
                            .schemaMode(SchemaMode.CREATE)
                            .build()
                    : MysqlOutboxStore.builder(database.dataSource())
                            .audit(AuditTrail.PARTITIONED)
                            .schemaMode(SchemaMode.CREATE)
                            .build();
        }
    }

    private void open(Kind chosen) {
        kind = chosen;
        database = kind.create();
        store = kind.open(database);
        environment().forEach(shell::set);
    }

    private Map<String, String> environment() {
        return Map.of(
                "POSTRIDER_URL", database.jdbcUrl(),
                "POSTRIDER_USER", database.user(),
                "POSTRIDER_PASSWORD", database.password());
    }

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Inserts rows {@code daysOld} days old, from today on by the server's clock; 0 and less lie in the future. */
    private void insert(String table, String times, int count, int daysOld) throws SQLException {
        String ago = "CURRENT_TIMESTAMP - " + kind.days.formatted(daysOld);
        String moreColumns = table.equals("outbox_dead") ? ", reason, attempts, retry_requested" : "";
        String moreValues = table.equals("outbox_dead") ? ", 'REJECTED', 1, FALSE" : "";
        for (int i = 0; i < count; i++) {
            execute("""
                    INSERT INTO %s (lane, seq, id, topic, message_key, type, content_type, payload, created_at, %s%s)
                    VALUES (0, %d, %s, 't', 'k', 't', 'text/plain', 'x', %s, %s%s)""".formatted(table, times, moreColumns, 1000 * daysOld + i, kind.id, ago, ago, moreValues));
        }
    }

    private AuditPartitions partitions() {
        return store.maintenance().partitions().orElseThrow();
    }

    private String partitions(String... options) {
        String[] words = new String[options.length + 2];
        words[0] = "partitions";
        words[1] = "--once";
        System.arraycopy(options, 0, words, 2, options.length);
        assertThat(shell.run(words)).as(shell.err() + shell.out()).isZero();
        return shell.out().strip();
    }

    private long coveredBy(Duration length) {
        return partitions().read().partitions().stream()
                .filter(partition ->
                        Duration.between(partition.from(), partition.upTo()).compareTo(length) == 0)
                .count();
    }

    @ParameterizedTest
    @EnumSource
    void createsAheadByPeriodAndLookahead(Kind chosen) {
        open(chosen);

        assertThat(partitions("--period", "hour", "--lookahead", "5h", "--verbose"))
                .matches("done: created [5-8], dropped 0, postponed 0, skipped 0, kept 0, deleted 0 rows of the tail");
        assertThat(shell.err().lines()).hasSizeBetween(5, 8).allMatch(line -> line.startsWith("created "));
        // The first may reach down to the beginning of time.
        assertThat(coveredBy(Duration.ofHours(1))).isBetween(4L, 8L);
        assertThat(partitions("--period", "hour", "--lookahead", "5h")).matches("done: created [01], .*");
        assertThat(partitions("--period", "day", "--lookahead", "72h")).matches("done: created [2-6], .*");
        assertThat(partitions("--period", "month", "--lookahead", "100d")).matches("done: created [1-6], .*");
        assertThat(shell.err()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void dropsWhatIsOlderThanTheRetentionAndMovesNoMoreThanTheLimit(Kind chosen) throws SQLException {
        open(chosen);
        String prefix = partitions().read().namePrefix();
        for (int daysAgo : new int[] {30, 20, 2}) {
            Instant day = TODAY.minus(daysAgo, ChronoUnit.DAYS);
            partitions()
                    .create(
                            new Partition(prefix + "old" + daysAgo, day, day.plus(1, ChronoUnit.DAYS)),
                            Duration.ofSeconds(10),
                            1000);
        }
        insert("outbox_sent", "delivered_at", 3, 20);
        // In the tail, in the range of a partition that is due.
        insert("outbox_sent", "delivered_at", 3, -1);

        int exit = shell.run(
                "partitions", "--once", "--period", "day", "--lookahead", "48h", "--limit", "2", "-o", "json");
        assertThat(shell.out()).contains("\"dropped\":[]").doesNotContain("\"skipped\":[]");
        // A failure where nothing at all could be done.
        assertThat(exit).as(shell.err()).isEqualTo(shell.out().contains("\"created\":[]") ? 1 : 0);
        assertThat(partitions("--period", "day", "--lookahead", "48h", "--limit", "3"))
                .contains("skipped 0")
                .doesNotContain("created 0");
        assertThat(partitions("--period", "day", "--lookahead", "48h", "--retention", "10d", "--verbose"))
                .startsWith("done: created 0, dropped 2,");
        assertThat(shell.err()).contains("dropped " + prefix + "old30", "dropped " + prefix + "old20");
        assertThat(store.stats().kept().rows()).isLessThanOrEqualTo(6);
    }

    @ParameterizedTest
    @EnumSource
    void deletesWhatIsOlderThanTheRetentionInBatches(Kind chosen) throws SQLException {
        open(chosen);
        insert("outbox_sent", "delivered_at", 5, 40);
        insert("outbox_sent", "delivered_at", 2, 1);
        insert("outbox_dead", "died_at", 3, 40);
        insert("outbox_dead", "died_at", 1, 1);

        assertThat(shell.run("cleanup", "--once", "--retention", "30d", "--limit", "2", "--verbose"))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).startsWith("done: deleted 5 delivered messages, 0 dead letters, ");
        assertThat(shell.err())
                .contains("deleted 2 of delivered messages, 4 in all", "deleted 1 of delivered messages, 5 in all");
        assertThat(shell.run("cleanup", "--once", "--retention", "30d", "--include-dead", "-o", "json"))
                .isZero();
        assertThat(shell.out()).contains("\"sent\":0,\"dead_letters\":3,");
        assertThat(shell.err()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void looksAgainAtEveryIntervalUntilItIsEnded(Kind chosen) throws SQLException {
        open(chosen);
        try (RelayProcess cleanup = RelayProcess.start(
                        directory, environment(), "cleanup", "--retention", "30d", "--check-every", "1s");
                RelayProcess partitions = RelayProcess.start(
                        directory, environment(), "partitions", "--period", "month", "--check-every", "1s")) {
            cleanup.await(() -> cleanup.out().contains("deleted 0 delivered"));
            insert("outbox_sent", "delivered_at", 5, 40);
            cleanup.await(() -> cleanup.out().contains("deleted 5 delivered"));
            partitions.await(() -> partitions.out().lines().count() >= 2);
            assertThat(partitions.out().lines().toList().get(1)).startsWith("done: created 0");

            cleanup.terminate();
            partitions.terminate();
            assertThat(cleanup.exitCode()).isEqualTo(143);
            assertThat(partitions.exitCode()).isEqualTo(143);
            assertThat(cleanup.err() + partitions.err()).isEmpty();
        }
    }
}
