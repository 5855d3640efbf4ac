package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.internal.Readable;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More dead letters than fit into the heap: all are reached, and progress is shown meanwhile. */
@Timeout(600)
class ManyDeadLettersIT {

    private static final int LETTERS = 20_000;

    private static final String INSERT = """
            INSERT INTO outbox_dead (lane, seq, id, topic, message_key, type, content_type, payload, created_at,
              reason, attempts, last_error, first_failed_at, died_at, retry_requested)
            SELECT i %% 16, i, %1$s, 'orders', CONCAT('Zoë-', i), 't', 'text/plain', '%2$s', CURRENT_TIMESTAMP, 'REJECTED', 1,
              'no', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, FALSE FROM %3$s""";

    @TempDir
    private Path directory;

    private static void insert(Database database, String id, String numbers) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(INSERT.formatted(id, "x".repeat(4096), numbers));
        }
    }

    /** In the plainest locale, in which the JVM alone would take other letters for question marks. */
    private RelayProcess run(Database database, String... words) {
        RelayProcess process = RelayProcess.start(
                directory,
                Map.of(
                        "POSTRIDER_JAVA_OPTS", "-Xmx64m",
                        "POSTRIDER_URL", database.jdbcUrl(),
                        "POSTRIDER_USER", database.user(),
                        "POSTRIDER_PASSWORD", database.password(),
                        "LC_ALL", "C"),
                words);
        assertThat(process.exitCode()).as(process.err()).isZero();
        return process;
    }

    private void assertReached(Database database) {
        try (RelayProcess list = run(database, "dead", "list", "--limit", String.valueOf(LETTERS))) {
            assertThat(list.out().lines()).hasSize(LETTERS + 1).anyMatch(line -> line.contains(" Zoë-7 "));
        }
        try (RelayProcess export = run(database, "dead", "export", "--payload")) {
            assertThat(export.out().lines()).hasSize(LETTERS).allMatch(line -> line.contains("\"key\":\"Zoë-"));
            assertThat(export.err()).contains("exported " + Readable.count(LETTERS, "dead letter"));
        }
        try (RelayProcess one = run(database, "dead", "discard", "--key", "Zoë-7", "--yes")) {
            assertThat(one.out()).isEqualToIgnoringNewLines("discarded 1 dead letter");
        }
        try (RelayProcess retry = run(database, "dead", "retry", "--all", "--yes")) {
            assertThat(retry.out())
                    .isEqualToIgnoringNewLines("requested a retry of " + Readable.count(LETTERS - 1, "dead letter"));
        }

        try (RelayProcess discard = run(database, "dead", "discard", "--reason", "rejected", "--yes")) {
            assertThat(discard.out())
                    .isEqualToIgnoringNewLines("discarded " + Readable.count(LETTERS - 1, "dead letter"));
        }
    }

    @Test
    void reachesAllOnPostgres() throws SQLException {
        try (Database database = Servers.postgres().createDatabase("many")) {
            PostgresOutboxStore.builder(database.dataSource())
                    .schemaMode(SchemaMode.CREATE)
                    .build();
            insert(database, "gen_random_uuid()", "generate_series(1, %d) i".formatted(LETTERS));
            assertReached(database);
        }
    }

    @Test
    void reachesAllOnMariadb() throws SQLException {
        try (Database database = Servers.mariadb().createDatabase("many")) {
            MysqlOutboxStore.builder(database.dataSource())
                    .schemaMode(SchemaMode.CREATE)
                    .build();
            insert(
                    database,
                    "UNHEX(REPLACE(UUID(), '-', ''))",
                    "(SELECT seq AS i FROM seq_1_to_%d) numbers".formatted(LETTERS));
            assertReached(database);
        }
    }
}
