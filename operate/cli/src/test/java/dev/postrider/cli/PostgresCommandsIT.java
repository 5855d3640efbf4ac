package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands on real PostgreSQL: what H2 cannot show. */
@Timeout(180)
class PostgresCommandsIT {

    private final Database database = Servers.postgres().createDatabase("cli");
    private final HikariDataSource pool = pool(database);
    private final Shell shell = new Shell()
            .set("POSTRIDER_URL", database.jdbcUrl())
            .set("POSTRIDER_USER", database.user())
            .set("POSTRIDER_PASSWORD", database.password());

    @TempDir
    private Path directory;

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(3);
        return new HikariDataSource(config);
    }

    @AfterEach
    void closePool() {
        pool.close();
        database.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private RelayProcess relay(Path config, String... options) {
        String[] arguments = new String[options.length + 3];
        arguments[0] = "relay";
        arguments[1] = "--config";
        arguments[2] = config.toString();
        System.arraycopy(options, 0, arguments, 3, options.length);
        return RelayProcess.start(directory, Map.of("DB_PASSWORD", database.password()), arguments);
    }

    private String databaseSection() {
        return "url: \"%s\", user: \"%s\", password: \"${DB_PASSWORD}\"".formatted(database.jdbcUrl(), database.user());
    }

    @Test
    void createsVerifiesAndFindsMissingPrivileges() throws SQLException {
        assertThat(shell.run("schema", "apply", "--audit", "partitioned", "--payload", "json"))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).contains("created", "payload json, audit partitioned");
        assertThat(shell.run("schema", "verify")).as(shell.out()).isZero();

        execute("CREATE ROLE reader_of_%1$s LOGIN PASSWORD 'pw'".formatted(database.name()));
        execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_of_%1$s".formatted(database.name()));
        shell.set("POSTRIDER_USER", "reader_of_" + database.name()).set("POSTRIDER_PASSWORD", "pw");
        try {
            assertThat(shell.run("schema", "verify")).isEqualTo(1);
            assertThat(shell.out())
                    .contains("DELETE on table outbox:", "UPDATE on table outbox_lane:")
                    .doesNotContain("SELECT on");
        } finally {
            execute("DROP OWNED BY reader_of_%1$s".formatted(database.name()));
            execute("DROP ROLE reader_of_%1$s".formatted(database.name()));
        }
    }

    @Test
    void keepsPartitionsAndShowsDeliveries() {
        RelayScene scene = new RelayScene(
                directory,
                pool,
                PostgresOutboxStore.builder(pool)
                        .audit(AuditTrail.PARTITIONED)
                        .schemaMode(SchemaMode.CREATE)
                        .build());
        assertThat(shell.run("partitions", "--once", "--period", "day", "--lookahead", "48h"))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).startsWith("done: created ").doesNotContain("created 0");
        scene.write(10);
        try (RelayProcess relay = relay(scene.config(databaseSection(), "60s", ""), "--once")) {
            assertThat(relay.exitCode()).as(relay.err()).isZero();
        }

        assertThat(shell.run("tail", "--once", "--since", "1h")).as(shell.err()).isZero();
        assertThat(shell.lines()).hasSize(10);
        assertThat(shell.run("status")).isZero();
        assertThat(shell.out()).containsPattern("undelivered +0");
    }

    @Test
    void showsHowFastMessagesComeAndGo() throws Exception {
        RelayScene scene = new RelayScene(
                directory,
                pool,
                PostgresOutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build());
        AtomicBoolean isOver = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            while (!isOver.get()) {
                scene.write(10);
            }
        });
        writer.start();
        try {
            // The server tells what it has counted with a delay of up to a second or two.
            boolean isShown = IntStream.range(0, 20)
                    .mapToObj(i -> shell.run("status", "--output", "json") == 0 ? shell.out() : "")
                    .anyMatch(out -> out.matches("(?s).*\"enqueued_per_second\":[1-9].*"));
            assertThat(isShown).as(shell.out() + shell.err()).isTrue();
        } finally {
            isOver.set(true);
            writer.join();
        }
    }
}
