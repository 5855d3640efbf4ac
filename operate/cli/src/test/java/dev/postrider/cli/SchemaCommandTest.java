package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaCommandTest {

    private final Shell shell = new Shell();
    private final String database = "jdbc:h2:mem:" + UUID.randomUUID();
    private final String url = database + ";DB_CLOSE_DELAY=-1";

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mysql", "mariadb", "tidb", "h2"})
    void printsTheTablesOfEveryDialectWithoutAServer(String dialect) {
        assertThat(shell.run("schema", "print", "--dialect", dialect, "--prefix", "orders", "--audit", "plain"))
                .isZero();
        assertThat(shell.out()).contains("CREATE TABLE", "orders_held", "orders_sent", "schema_version");
        assertThat(shell.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"postgres,json", "mysql,LONGTEXT", "mariadb,utf8mb4_nopad_bin", "tidb,AUTO_ID_CACHE"})
    void printsWhatIsSpecialOfADialect(String dialect, String expected) {
        shell.run("schema", "print", "--dialect", dialect, "--payload", "json", "--audit", "partitioned");

        assertThat(shell.out()).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mysql", "mariadb", "tidb", "h2"})
    void printsTheInboxOfEveryDialectWithoutAServer(String dialect) {
        assertThat(shell.run("schema", "print", "--dialect", dialect, "--inbox", "--prefix", "seen"))
                .as(shell.err())
                .isZero();
        assertThat(shell.out())
                .contains("CREATE TABLE", "seen", "schema_version")
                .doesNotContain("_held");
    }

    @Test
    void printsPresetsOfExistingTables() {
        assertThat(shell.run("schema", "print", "--dialect", "mysql", "--preset", "pending-wait"))
                .isZero();
        assertThat(shell.out()).contains("CREATE TABLE outbox_parking_lot", "PRIMARY KEY (id, sent_time)");

        assertThat(shell.run("schema", "print", "--dialect", "h2", "--preset", "event-outbox"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("Preset event-outbox is for postgres, not for h2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mysql", "mariadb", "tidb", "h2"})
    void refusesToPrintAChangeFromAVersionThatIsNone(String dialect) {
        assertThat(shell.run("schema", "print", "--dialect", dialect, "--from", "1"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("--from is 1, but version 1 of the tables is the first");
    }

    /** H2 creates a database at any path, also at one that was mistyped. */
    @ParameterizedTest
    @ValueSource(strings = {"doctor", "status", "schema verify", "dead list"})
    void onlyApplyCreatesADatabase(String command, @TempDir Path directory) throws IOException {
        String file = "jdbc:h2:" + directory.resolve("typo");
        String[] arguments = Stream.concat(Stream.of(command.split(" ")), Stream.of("--url", file))
                .toArray(String[]::new);

        assertThat(shell.run(arguments)).isEqualTo(1);
        assertThat(shell.out() + shell.err())
                .contains("There is no database at " + file
                        + ". Check the path; 'postrider schema apply' creates a new one");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
        assertThat(shell.run("schema", "apply", "--url", file)).as(shell.err()).isZero();
        shell.run(arguments);
        assertThat(shell.out() + shell.err()).doesNotContain("There is no database");
    }

    @Test
    void printsWhatCanBeRun() throws SQLException {
        shell.run("schema", "print", "--dialect", "h2", "--lanes", "3");
        execute(shell.out());

        assertThat(shell.run("schema", "verify", "--url", url)).as(shell.err()).isZero();
        assertThat(shell.out())
                .isEqualToIgnoringNewLines(
                        "outbox outbox: good (schema version 1, 3 lanes, payload binary, audit none)");
    }

    @Test
    void createsOnceAndSaysSo() {
        assertThat(shell.run("schema", "apply", "--url", url, "--lanes", "4", "--output", "json"))
                .isZero();
        assertThat(shell.out())
                .isEqualToIgnoringNewLines("{\"outbox\":\"outbox\",\"state\":\"created\",\"version\":1,\"lanes\":4,"
                        + "\"payload\":\"binary\",\"audit\":\"none\"}");

        assertThat(shell.run("schema", "apply", "--url", url)).isZero();
        assertThat(shell.out()).contains("unchanged", "4 lanes");

        assertThat(shell.run("schema", "apply", "--url", url, "--audit", "plain"))
                .isZero();
        assertThat(shell.out()).contains("upgraded", "audit plain");
    }

    @Test
    void refusesToChangeTheLaneCountInPlace() {
        shell.run("schema", "apply", "--url", url, "--lanes", "4");

        assertThat(shell.run("schema", "apply", "--url", url, "--lanes", "8")).isEqualTo(1);
        assertThat(shell.err()).contains("was created with lanes 4").doesNotContain("\tat ");
    }

    @Test
    void findsMissingTables() {
        assertThat(shell.run("schema", "verify", "--url", url)).isEqualTo(1);
        assertThat(shell.err()).contains("has no tables", "postrider schema").doesNotContain("\tat ");
    }

    @Test
    void findsWhatIsMissingInAHalfMigratedSchema() throws SQLException {
        shell.run("schema", "apply", "--url", url);
        execute("DROP TABLE \"outbox_held\"");
        execute("ALTER TABLE \"outbox_dead\" DROP COLUMN last_error");

        assertThat(shell.run("schema", "verify", "--url", url)).isEqualTo(1);
        assertThat(shell.out()).contains("2 problems", "SELECT on table outbox_held", "SELECT on table outbox_dead");
    }

    @Test
    void findsMissingPrivileges() throws SQLException {
        shell.run("schema", "apply", "--url", url);
        execute("CREATE USER reader PASSWORD 'pw'");
        execute("GRANT SELECT ON SCHEMA PUBLIC TO reader");
        shell.set("POSTRIDER_PASSWORD", "pw");

        assertThat(shell.run("schema", "verify", "--url", database, "--user", "reader"))
                .isEqualTo(1);
        assertThat(shell.out())
                .contains("DELETE on table outbox:", "UPDATE on table outbox_lane:", "INSERT on table outbox_held:")
                .doesNotContain("SELECT on");
    }

    @Test
    void takesOptionsFromTheEnvironment() {
        shell.set("POSTRIDER_URL", url).set("POSTRIDER_PREFIX", "p1").set("POSTRIDER_SCHEMA_APPLY_LANES", "2");

        assertThat(shell.run("schema", "apply")).as(shell.err()).isZero();
        assertThat(shell.out()).contains("outbox p1: created", "2 lanes");
        assertThat(shell.run("schema", "verify")).isZero();
    }

    @Test
    void takesOptionsFromAFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("postrider.yaml"), """
                destinations: {log: {type: log}}
                outboxes:
                  orders: {database: {url: "%s"}, prefix: orders, lanes: 3}
                  bills: {database: {url: "%s"}, prefix: bills}
                """.formatted(url, url));

        assertThat(shell.run("schema", "apply", "--config", file.toString(), "--outbox", "orders"))
                .isZero();
        assertThat(shell.out()).contains("outbox orders: created", "3 lanes");

        assertThat(shell.run("schema", "apply", "--config", file.toString())).isEqualTo(2);
        assertThat(shell.err()).contains("choose one by --outbox: orders, bills");
    }

    @Test
    void namesTheLineOfATypoInAFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("postrider.yaml"), "outboxes:\n  a:\n    databse: 1\n");

        assertThat(shell.run("schema", "verify", "--config", file.toString())).isEqualTo(2);
        assertThat(shell.err())
                .contains("postrider.yaml line 3", "'databse'; did you mean 'database'?")
                .doesNotContain("\tat ");
    }

    @Test
    void neverPrintsAPassword(@TempDir Path directory) throws Exception {
        shell.run("schema", "apply", "--url", url);
        Path password = Files.writeString(directory.resolve("pw"), "hunter2\n");

        assertThat(shell.run("schema", "verify", "--url", url + ";PASSWORD=hunter2", "--user", "ann"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("Refused by the database", "ann").doesNotContain("hunter2", "\tat ");
        assertThat(shell.run("schema", "verify", "--url", url, "--user", "ann", "--password-file", password.toString()))
                .isEqualTo(1);
        assertThat(shell.err()).contains("Refused by the database", "ann").doesNotContain("hunter2", "\tat ");
    }

    @ParameterizedTest
    @CsvSource({
        "schema verify, Which database?",
        "schema verify --url jdbc:h2:mem:x --config ../../docs/samples/h2-nats.yaml, not both",
        "schema verify --url jdbc:orcl:x, is of no database that Postrider knows",
        "schema apply --url jdbc:h2:mem:x --lanes 0, '--lanes is 0, expected 1 to 1024'",
        "schema apply --url jdbc:h2:mem:x --dialect mysql, '--dialect is MYSQL, but the address is of H2'",
        "schema apply --url jdbc:h2:mem:x --prefix a-b, --prefix is 'a-b'",
        "schema print, --dialect",
        "schema print --dialect h2 --audit partitioned, --audit is PARTITIONED",
        "schema print --dialect h2 --payload json, H2 stores payloads as bytes only",
        "schema print --dialect oracle, oracle",
        "schema print --dialect h2 --inbox --lanes 4, An inbox has no --lanes",
        "schema, No command is given",
        "schema verify --config no-such.yaml, There is no file",
    })
    void refusesWrongUse(String arguments, String reason) {
        assertThat(shell.run(arguments.split(" "))).isEqualTo(2);
        assertThat(shell.err()).contains(reason).doesNotContain("\tat ");
        assertThat(shell.out()).isEmpty();
    }
}
