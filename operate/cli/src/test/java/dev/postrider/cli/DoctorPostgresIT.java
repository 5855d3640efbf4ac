package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.PostgresServer;
import dev.postrider.testservers.PrivateServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Makes a server ill in every way the doctor knows, and sees each found, with its fix. */
@Timeout(180)
class DoctorPostgresIT extends DoctorContract {

    private static PrivateServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.startPrivate(Map.of("max_prepared_transactions", "5", "fsync", "on"));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    PrivateServer server() {
        return server;
    }

    @ParameterizedTest
    @CsvSource({
        "autosave=always, NOTE     driver settings: autosave is always, 0",
        "preferQueryMode=simple, NOTE     driver settings: preferQueryMode is simple, 0",
        "prepareThreshold=-1, ERROR    driver settings: prepareThreshold is -1, 1"
    })
    void findsSettingsOfTheDriverThatHinderFetching(String setting, String finding, int exitCode) {
        String url = database.jdbcUrl();
        shell.set("POSTRIDER_URL", url + (url.contains("?") ? "&" : "?") + setting);

        assertThat(shell.run("doctor")).as(shell.out() + shell.err()).isEqualTo(exitCode);
        assertThat(shell.out()).contains(finding).contains("from the address");
    }

    @Test
    void findsNothingWrongWithAFreshOutbox() {
        assertThat(shell.run("doctor")).as(shell.out() + shell.err()).isZero();
        assertThat(shell.lines())
                .contains(
                        "  ok       privileges",
                        "  ok       driver settings",
                        "  ok       isolation level",
                        "  ok       clocks",
                        "  ok       vacuum and statistics of the hot table",
                        "  ok       long transactions and old snapshots",
                        "  ok       durability")
                .last()
                .asString()
                .startsWith("0 errors, 0 warnings");
        assertThat(shell.run("doctor", "--fail-on", "note"))
                .as("no relay runs, which is a note")
                .isEqualTo(1);
    }

    @Test
    void namesALongTransactionAndAPreparedOne() throws SQLException {
        execute("BEGIN", "SELECT pg_current_xact_id()", "PREPARE TRANSACTION 'forgotten'");
        try (Connection open = database.dataSource().getConnection();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("SET application_name = 'report'");
            statement.execute("SELECT pg_current_xact_id()");

            assertThat(shell.run("doctor", "--old-after", "0")).isEqualTo(1);

            assertThat(shell.out())
                    .containsPattern(
                            "WARNING  long transactions.*: session \\d+ \\(user .*, report\\) has a transaction")
                    .contains("idle in transaction", "SELECT pg_terminate_backend(")
                    .contains("transaction 'forgotten' was prepared", "ROLLBACK PREPARED");
            assertThat(shell.run("doctor", "--old-after", "1h")).as(shell.out()).isZero();
        } finally {
            execute("ROLLBACK PREPARED 'forgotten'");
        }
    }

    @Test
    void namesVacuumSettingsThatAreOffForTheTable() throws SQLException {
        execute(
                "ALTER TABLE outbox SET (autovacuum_enabled = false)",
                "ALTER TABLE outbox RESET (autovacuum_vacuum_scale_factor)");

        assertThat(shell.run("doctor")).isEqualTo(1);

        assertThat(shell.out())
                .contains("autovacuum is off for the hot table", "RESET (autovacuum_enabled)")
                .contains("has lost its vacuum settings", "SET (autovacuum_vacuum_scale_factor = 0");
    }

    @Test
    void namesServerSettingsThatEndangerMessages() throws SQLException {
        try {
            execute(
                    "ALTER SYSTEM SET autovacuum = off",
                    "ALTER SYSTEM SET track_counts = off",
                    "ALTER SYSTEM SET full_page_writes = off",
                    "ALTER DATABASE \"" + database.name() + "\" SET synchronous_commit = off",
                    "ALTER DATABASE \"" + database.name() + "\" SET default_transaction_isolation = serializable",
                    "SELECT pg_reload_conf()");

            assertThat(shell.run("doctor", "--fail-on", "error"))
                    .as(shell.out())
                    .isEqualTo(1);

            assertThat(shell.out())
                    .contains("autovacuum is off on this server", "track_counts is off on this server")
                    .contains("ERROR    durability: fsync is on, full_page_writes is off")
                    .contains("WARNING  durability: synchronous_commit is off")
                    .contains("WARNING  isolation level: transactions are SERIALIZABLE by default");
        } finally {
            execute("ALTER SYSTEM RESET ALL", "SELECT pg_reload_conf()");
        }
    }

    @Test
    void namesMissingPrivilegesAndSessionsThatItMayNotSee() throws SQLException {
        String reader = "reader_of_" + database.name();
        execute(
                "CREATE ROLE " + reader + " LOGIN PASSWORD 'pw'",
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + reader);
        shell.set("POSTRIDER_USER", reader).set("POSTRIDER_PASSWORD", "pw");
        try (Connection other = database.dataSource().getConnection()) {
            assertThat(other.isValid(1)).isTrue();

            assertThat(shell.run("doctor")).isEqualTo(1);

            assertThat(shell.out())
                    .contains("ERROR    privileges: DELETE on table outbox:", "GRANT this user what is missing")
                    .contains("may not see the transactions of", "GRANT pg_read_all_stats");
        }
    }

    @Test
    void namesDeadLettersPausesAnOldBacklogAndAPoolThatIsTooSmallOrTooLarge() throws Exception {
        execute(
                "INSERT INTO outbox (id, topic, type, payload, created_at) VALUES"
                        + " (gen_random_uuid(), 'orders', 'test', '', now() - interval '1 hour')",
                "INSERT INTO outbox_dead (lane, seq, id, topic, type, content_type, payload, created_at, reason,"
                        + " attempts, last_error, died_at, retry_requested) VALUES (0, 1, gen_random_uuid(), 'orders',"
                        + " 'test', 'text/plain', '', now(), 'REJECTED', 1, 'no', now(), false)",
                "INSERT INTO outbox_control (kind, name, set_by, set_at) VALUES ('pause', 'out', 'ann', now())");

        assertThat(runWithFile("pool-size: 2", "workers: 64")).isEqualTo(1);

        assertThat(shell.out())
                .contains("lanes: 16 lanes for 64 workers of one relay")
                .contains("16 of 16 lanes belong to no relay; 1 message undelivered")
                .contains("WARNING  waiting messages: the oldest undelivered message is 1 h")
                .contains("NOTE     waiting messages: there is 1 dead letter", "NOTE     waiting messages: paused: out")
                .contains("connections: pool-size is 2, but 64 workers need 67 connections");

        runWithFile("pool-size: 1000", "workers: 2");
        assertThat(shell.out()).containsPattern("pool-size is 1000, the server has \\d+ connections left");
    }

    private int runWithFile(String pool, String workers) throws Exception {
        Path file = Files.writeString(directory.resolve("postrider.yaml"), """
            destinations: {out: {type: log}}
            outboxes:
              orders:
                database: {url: "%s", user: "%s", password: "%s", %s}
                max-oldest-age: 1m
                relay: {%s}
            """.formatted(
                        database.jdbcUrl(), database.user(), database.password(), pool, workers));
        return shell.run("doctor", "--config", file.toString());
    }

    @Test
    void namesADatabaseThatCannotBeReachedAndTablesThatAreMissing() throws SQLException {
        execute("DROP TABLE outbox_held");
        assertThat(shell.run("doctor", "--output", "json")).isEqualTo(1);
        assertThat(shell.out())
                .contains("\"check\":\"privileges\",\"ok\":false,\"findings\":[{\"severity\":\"error\"")
                .contains("SELECT on table outbox_held");

        shell.set("POSTRIDER_PASSWORD", "wrong-secret");
        assertThat(shell.run("doctor", "--user", "nobody")).isEqualTo(1);
        assertThat(shell.out() + shell.err()).contains("ERROR    database: ").doesNotContain("wrong-secret", "\tat ");
    }
}
