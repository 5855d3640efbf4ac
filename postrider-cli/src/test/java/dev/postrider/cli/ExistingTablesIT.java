package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line over a table that already exists, on real PostgreSQL. */
@Timeout(120)
class ExistingTablesIT {

    private final Database database = Servers.postgres().createDatabase("existing");
    private final Shell shell = new Shell()
            .set("POSTRIDER_URL", database.jdbcUrl())
            .set("POSTRIDER_USER", database.user())
            .set("POSTRIDER_PASSWORD", database.password())
            .set("DB_PASSWORD", database.password());

    @TempDir
    private Path directory;

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    @Test
    void printsImportsAndRelaysAnExistingTable() throws SQLException, IOException {
        shell.run("schema", "print", "--dialect", "postgres", "--preset", "event-outbox");
        execute(shell.out());
        execute(
                "INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload) SELECT 'e' || n, 'T', 'k', '{}' FROM generate_series(1, 3) n");
        Path config = Files.writeString(directory.resolve("postrider.yaml"), """
                destinations:
                  out: { type: file, path: "%s" }
                outboxes:
                  old:
                    database: { url: "%s", user: "%s", password: "${DB_PASSWORD}" }
                    destination: out
                    existing: event-outbox
                    relay: { ordering: none }
                """.formatted(
                        directory.resolve("out.jsonl"), database.jdbcUrl(), database.user()));

        assertThat(shell.run("relay", "--once", "--config", config.toString()))
                .as(shell.err())
                .isZero();
        assertThat(Files.readAllLines(directory.resolve("out.jsonl"))).hasSize(3);
        assertThat(shell.run("status", "--config", config.toString()))
                .as(shell.err())
                .isZero();

        execute("UPDATE event_outbox SET published_at = NULL");
        shell.run("schema", "apply", "--url", database.jdbcUrl());
        assertThat(shell.run("import", "--preset", "event-outbox", "--dry-run", "--url", database.jdbcUrl()))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).contains("would import 3, unreadable 0, left 0");
        assertThat(shell.run("import", "--preset", "event-outbox", "--url", database.jdbcUrl()))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).contains("imported 3, unreadable 0, left 0");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
