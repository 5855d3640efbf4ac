package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database without tables: one error that names the command to run, not a method of Java. */
class MissingTablesTest {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private final Shell shell = new Shell();

    @TempDir
    private Path directory;

    /** Keeps the database. */
    private Connection connection;

    @BeforeEach
    void writeFile() throws Exception {
        connection = DriverManager.getConnection(url);
        Path file = Files.writeString(directory.resolve("postrider.yaml"), """
                destinations: {bank: {type: log}}
                outboxes:
                  main:
                    database: {url: "%s"}
                    destination: bank
                """.formatted(url));
        shell.set("POSTRIDER_CONFIG", file.toString());
    }

    private void createWith(String otherUrl) throws Exception {
        Path file = directory.resolve("postrider.yaml");
        Files.writeString(file, Files.readString(file).replace(url, otherUrl) + "    schema-mode: create\n");
    }

    @AfterEach
    void forget() throws Exception {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "dead list", "relay --once", "relay --check"})
    void namesTheCommandThatCreatesThem(String command) {
        assertThat(shell.run(command.split(" "))).isEqualTo(1);
        assertThat(shell.out() + shell.err())
                .contains("Outbox main has no tables")
                .contains("'postrider schema apply'", "'postrider schema print'")
                .doesNotContain("schemaMode", "schemaSql");
    }

    @Test
    void isOneErrorOfTheDoctor() {
        assertThat(shell.run("doctor")).isEqualTo(1);
        assertThat(shell.out())
                .contains("ERROR    tables: there are no tables that begin with 'outbox'")
                .contains("'postrider schema apply'")
                .contains("\n1 error, ")
                .doesNotContain("could not be checked");
    }

    @Test
    void checkingCreatesNoneThatTheRelayWouldCreate() throws Exception {
        createWith(url);

        assertThat(shell.run("relay", "--check")).isZero();
        assertThat(shell.out()).contains("ok      outbox main: no tables yet; the relay creates them when it starts");
        assertThat(connection.getMetaData().getTables(null, "PUBLIC", "%", null).next())
                .isFalse();

        assertThat(shell.run("relay", "--once")).isZero();
        assertThat(shell.run("relay", "--check")).isZero();
        assertThat(shell.out()).contains("ok      outbox main: tables and settings", "ok      outbox main: privileges");
    }

    @Test
    void checkingCreatesNoDatabaseEither() throws Exception {
        createWith("jdbc:h2:" + directory.resolve("orders"));

        assertThat(shell.run("relay", "--check")).isZero();
        assertThat(shell.out()).contains("no database yet; the relay creates it when it starts");
        assertThat(directory.resolve("orders.mv.db")).doesNotExist();
    }
}
