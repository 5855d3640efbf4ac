package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.PostgresServer;
import dev.postrider.testservers.PrivateServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay process whose database crashes: what operators find in the log. */
@Timeout(300)
class DatabaseAwayIT {

    private static final Duration AWAY = Duration.ofSeconds(8);

    /** The first failure and the end, for lanes, rows and maintenance at most. */
    private static final int HANDFUL = 6;

    @TempDir
    private Path directory;

    @Test
    void givesAHandfulOfLinesAndNoStackTrace() throws Exception {
        try (PrivateServer database = PostgresServer.startPrivate();
                RelayProcess relay = RelayProcess.start(
                        directory, Map.of(), "relay", "--config", file(database).toString())) {
            relay.await(() -> relay.get("/ready").startsWith("200"));
            int before = relay.err().length();

            database.killHard();
            long end = System.nanoTime() + AWAY.toNanos();
            relay.await(() -> relay.get("/ready").startsWith("503"));
            relay.await(() -> System.nanoTime() - end > 0);
            database.restart();
            relay.await(() -> relay.err().contains("The store answers again"));
            relay.await(() -> relay.get("/ready").startsWith("200"));

            List<String> lines = relay.err().substring(before).lines().toList();
            assertThat(lines).hasSizeBetween(2, HANDFUL);
            assertThat(lines).noneMatch(line -> line.contains("\tat ") || line.contains("    at "));
        }
    }

    private Path file(PrivateServer database) throws Exception {
        return Files.writeString(directory.resolve("postrider.yaml"), """
                http: {port: 0}
                destinations: {out: {type: log}}
                outboxes:
                  orders: {database: {url: "%s", user: "%s", password: "%s"}, destination: out, schema-mode: create}
                """.formatted(
                        database.jdbcUrl("postgres"), database.user(), database.password()));
    }
}
