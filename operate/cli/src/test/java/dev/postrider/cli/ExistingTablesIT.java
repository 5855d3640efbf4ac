package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line over tables that already exist, on real servers. */
@Timeout(120)
class ExistingTablesIT {

    private final Database database = Servers.postgres().createDatabase("existing");
    private final Shell shell = new Shell()
            .set("POSTRIDER_URL", database.jdbcUrl())
            .set("POSTRIDER_USER", database.user())
            .set("POSTRIDER_PASSWORD", database.password());

    @TempDir
    private Path directory;

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    @Test
    void printsImportsAndRelaysTheTableOfAPreset() throws IOException {
        run("schema", "print", "--dialect", "postgres", "--preset", "event-outbox");
        execute(shell.out());
        execute(
                "INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload) SELECT 'e' || n, 'T', 'k', '{}' FROM generate_series(1, 3) n");
        String config = config("existing: { preset: event-outbox }");

        run("relay", "--once", "--config", config);
        assertThat(Files.readAllLines(directory.resolve("out.jsonl"))).hasSize(3);

        execute("UPDATE event_outbox SET published_at = NULL");
        run("schema", "apply", "--url", database.jdbcUrl());
        run("import", "--preset", "event-outbox", "--dry-run", "--url", database.jdbcUrl());
        assertThat(shell.out()).contains("would import 3, unreadable 0, left 0");
        run("import", "--preset", "event-outbox", "--url", database.jdbcUrl());
        assertThat(shell.out()).contains("imported 3, unreadable 0, left 0");
    }

    @Test
    void knowsRowsByTheIdsThatTheirServicesChose() throws IOException {
        run("schema", "print", "--dialect", "postgres", "--preset", "event-outbox");
        execute(shell.out());
        execute("INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload, retry_count)"
                + " SELECT id, 'T', 'k', '{}', 8 FROM unnest(ARRAY['user-created-123', 'User-Created-123']) id");
        String config = config("existing: { preset: event-outbox }");

        run("dead", "list", "--config", config);
        assertThat(shell.out()).contains("user-created-123", "User-Created-123");
        run("dead", "retry", "--id", "user-created-123", "--yes", "--config", config);
        run("relay", "--once", "--config", config);

        assertThat(Files.readAllLines(directory.resolve("out.jsonl")))
                .singleElement()
                .asString()
                .contains("\"user-created-123\"");
        run("dead", "list", "--config", config);
        assertThat(shell.out()).contains("User-Created-123").doesNotContain("user-created-123");
    }

    @Test
    void relaysShowsAndExaminesATableThatTheFileDescribes() throws IOException {
        orderEvents(5);
        String config = config(ORDER_EVENTS);

        run("relay", "--check", "--config", config);
        // Its verdict is about the server as well, which is a test's.
        shell.run("doctor", "--config", config);
        assertThat(shell.out()).contains("tables").doesNotContain("could not be checked", "privileges", "vacuum");
        run("status", "--config", config);
        assertThat(shell.out()).contains("5");
        run("relay", "--once", "--config", config);
        assertThat(Files.readAllLines(directory.resolve("out.jsonl")))
                .hasSize(5)
                .allMatch(line -> line.contains("orders"));
        run("dead", "list", "--config", config);
        execute(
                "UPDATE order_events SET state = 'FAILED', created_at = now() - interval '2 days', attempts = 3 WHERE n = 1");
        run("dead", "list", "--config", config);
        assertThat(shell.out()).contains("OrderPlaced");
        run("dead", "retry", "--all", "--yes", "--config", config);
        run("relay", "--once", "--config", config);
        assertThat(Files.readAllLines(directory.resolve("out.jsonl"))).hasSize(6);
        run("cleanup", "--once", "--retention", "1d", "--config", config);
    }

    @Test
    void saysWhatDoesNotFitBeforeAnythingIsRelayed() throws IOException {
        orderEvents(1);
        String config = config(ORDER_EVENTS.replace("key: order_id", "key: customer, headers: created_at"));

        assertThat(shell.run("relay", "--check", "--config", config)).isNotZero();
        assertThat(shell.out() + shell.err())
                .contains("Table order_events does not fit its mapping")
                .contains("column customer, mapped as key, is missing; the table has n, ")
                .contains("column created_at, mapped as headers, is of type");
    }

    @Test
    void neitherCreatesNorFollowsTablesOfOthersAndSaysSo() throws IOException {
        orderEvents(1);
        String config = config(ORDER_EVENTS);

        for (String command : new String[] {"schema apply", "schema verify"}) {
            assertThat(shell.run((command + " --config " + config).split(" "))).isNotZero();
            assertThat(shell.err()).contains("The tables of this outbox are of others");
        }
        assertThat(shell.run("tail", "--once", "--config", config)).isNotZero();
        assertThat(shell.err()).contains("keeps no audit trail");
    }

    @Test
    void refusesWhatOnlyTheRelayKnowsAndSaysWhatToDo() throws IOException {
        run("schema", "print", "--dialect", "postgres", "--preset", "outbox-events");
        execute(shell.out());
        execute("INSERT INTO outbox_events (id, entity_id, message) VALUES ('e1', 'k', '{}')");
        String config = config("existing: { preset: outbox-events }");

        assertRefused("pause out", config, "no lock table", "schema print --preset relay-lock");
        assertRefused("resume out", config, "no lock table");
        assertRefused("unblock --all", config, "only the relay that blocked a row knows of it", "Restart that relay");
        String id = "0199e6a0-0000-7000-8000-000000000000";
        for (String dead : List.of("list", "export", "retry --all --yes", "discard --all --yes", "show " + id)) {
            assertRefused("dead " + dead, config, "no place for rows that were given up", "Restart that relay");
        }
        assertRefused("partitions --once --period day", config, "outbox_events", "partition");
        assertRefused("lanes plan --to-prefix new --lanes 32", config, "The tables of this outbox are of others");
        run("status", "--config", config);
        run("cleanup", "--once", "--retention", "1d", "--config", config);
        run("relay", "--once", "--config", config);
        assertThat(Files.readAllLines(directory.resolve("out.jsonl"))).hasSize(1);
    }

    @Test
    void pausesTheRelaysOfATableByItsLockTable() throws IOException {
        orderEvents(2);
        run("schema", "print", "--dialect", "postgres", "--preset", "relay-lock");
        execute(shell.out());
        String config = config(ORDER_EVENTS + "\n      lock-table: relay_lock");

        run("pause", "out", "--config", config);
        shell.run("relay", "--once", "--config", config);
        assertThat(Sql.values(database, "SELECT n FROM order_events WHERE state = 'NEW'"))
                .hasSize(2);
        run("resume", "out", "--config", config);
        run("relay", "--once", "--config", config);
        assertThat(Files.readAllLines(directory.resolve("out.jsonl"))).hasSize(2);
    }

    private void assertRefused(String command, String config, String... reasons) {
        assertThat(shell.run((command + " --config " + config).split(" ")))
                .as(command)
                .isNotZero();
        assertThat(shell.err()).as(command).contains(reasons);
    }

    @Test
    void importsTheTableOfOneOutboxOfTheFileIntoAnother() throws IOException {
        orderEvents(4);
        String config = config(ORDER_EVENTS) + "\n";
        Path file = Path.of(config.strip());
        Files.writeString(file, Files.readString(file) + """
                  new:
                    database: { url: "%s", user: "%s", password: "${DB_PASSWORD}" }
                    destination: out
                """.formatted(database.jdbcUrl(), database.user()));
        run("schema", "apply", "--config", file.toString(), "--outbox", "new");

        run("import", "--from", "old", "--config", file.toString(), "--outbox", "new");

        assertThat(shell.out()).contains("imported 4, unreadable 0, left 0");
    }

    @Test
    void endsWithWordsWhereAFileAsksForAnOrderThatATableWithoutALeaderCannotKeep() throws IOException {
        orderEvents(1);
        String config = config(ORDER_EVENTS);
        Path file = Path.of(config);
        Files.writeString(file, Files.readString(file).replace("ordering: none, ", ""));

        int once = shell.run("relay", "--once", "--config", config);
        String words = shell.err();
        int daemon = shell.run("relay", "--config", config);

        assertThat(once).isEqualTo(daemon).isNotZero();
        assertThat(words)
                .contains("order_events cannot keep ordering: per-key, only ordering: none")
                .contains("To keep the order of each key, set leader: relay-name in section 'existing'")
                .contains("To relay without an order, choose ordering: none")
                .doesNotContain("\tat ");
        assertThat(shell.err()).contains(words.strip().lines().findFirst().orElseThrow());

        Files.writeString(
                file,
                Files.readString(file).replace("      topic: orders", "      topic: orders\n      leader: relay-name"));
        run("relay", "--once", "--config", config);
        assertThat(Files.readAllLines(directory.resolve("out.jsonl"))).hasSize(1);
    }

    @Test
    void doesNotDenyRelaysOfATableThatCannotTell() throws IOException {
        orderEvents(2);
        String config = config(ORDER_EVENTS);

        run("status", "--config", config);
        assertThat(shell.out()).contains("not known: this table does not tell which relays run");
        shell.run("doctor", "--config", config);
        assertThat(shell.out() + shell.err()).doesNotContain("no relay");
    }

    @Test
    void refusesABackOffThatTheTableCannotUse() throws IOException {
        String config = config("existing: { preset: event-outbox }");
        Path file = Path.of(config);
        Files.writeString(
                file, Files.readString(file).replace("ordering: none", "ordering: none, backoff: constant 1s"));

        assertThat(shell.run("relay", "--check", "--config", config)).isNotZero();
        assertThat(shell.err()).contains("backoff", "retry-delay");
    }

    @Test
    void createsNoOutboxOfItsOwnOverTheTableOfAnotherSystem() {
        try (Database mysql = Servers.mysql().createDatabase("existing")) {
            run("schema", "print", "--dialect", "mysql", "--preset", "enum-status");
            Sql.execute(mysql, shell.out());
            shell.set("POSTRIDER_PASSWORD", mysql.password());

            assertThat(shell.run("schema", "apply", "--url", mysql.jdbcUrl(), "--user", mysql.user()))
                    .isOne();

            assertThat(shell.err()).contains("Table `outbox` is not that of an outbox", "choose another prefix");
            assertThat(Sql.values(mysql, "SHOW TABLES")).containsExactly("outbox");
            run("schema", "apply", "--prefix", "postrider", "--url", mysql.jdbcUrl(), "--user", mysql.user());
        }
    }

    @Test
    void showsCleansUpAndPartitionsATableByItsAddressAndPresetAlone() {
        try (Database mysql = Servers.mysql().createDatabase("existing")) {
            run("schema", "print", "--dialect", "mysql", "--preset", "records-partitioned", "--table", "order_outbox");
            Sql.execute(mysql, shell.out());
            Sql.execute(mysql, """
                    INSERT INTO order_outbox (id, aggregate_type, aggregate_id, event_type, payload, status, processed_at) VALUES
                    (UNHEX('01900000000070008000000000000001'), 'a', 'k', 'T', '{}', 0, NULL),
                    (UNHEX('01900000000070008000000000000002'), 'a', 'k', 'T', '{}', 1, NOW(6) - INTERVAL 2 DAY),
                    (UNHEX('01900000000070008000000000000003'), 'a', 'k', 'T', '{}', 1, NOW(6))""");
            shell.set("POSTRIDER_PASSWORD", mysql.password());
            String[] where = {
                "--url",
                mysql.jdbcUrl(),
                "--user",
                mysql.user(),
                "--preset",
                "records-partitioned",
                "--table",
                "order_outbox"
            };

            run(with(where, "status"));
            assertThat(shell.out())
                    .containsPattern("undelivered +1\\n")
                    .containsPattern("kept +2\\n")
                    .containsPattern("by status +0 1, 1 2, -1 0\\n");
            run(with(where, "cleanup", "--once", "--retention", "1d"));
            run(with(where, "partitions", "--once", "--period", "day", "--lookahead", "2d"));
            assertThat(Sql.values(mysql, "SELECT status FROM order_outbox ORDER BY id"))
                    .containsExactly("0", "1");
            assertThat(shell.run("status", "--preset", "records", "--config", "postrider.yaml"))
                    .isNotZero();
        }
    }

    @Test
    void failsWhereOldPartitionsHoldUndeliveredRowsAndNothingElseIsToBeDone() {
        try (Database mysql = Servers.mysql().createDatabase("existing")) {
            run("schema", "print", "--dialect", "mysql", "--preset", "records-partitioned");
            Sql.execute(mysql, shell.out());
            Sql.execute(
                    mysql,
                    "ALTER TABLE outbox REORGANIZE PARTITION pmax INTO (PARTITION p20240610 VALUES LESS THAN"
                            + " (1718064000), PARTITION pmax VALUES LESS THAN (MAXVALUE))");
            Sql.execute(
                    mysql,
                    "INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload) VALUES"
                            + " (UNHEX('01900000000070008000000000000001'), 'a', 'k', 'T', '{}')");
            shell.set("POSTRIDER_PASSWORD", mysql.password());
            String[] where = {"--url", mysql.jdbcUrl(), "--user", mysql.user(), "--preset", "records-partitioned"};
            String[] look =
                    with(where, "partitions", "--once", "--period", "day", "--retention", "10d", "--lookahead", "2d");

            // Further ahead than below, so that no day that begins meanwhile needs a partition.
            run(with(where, "partitions", "--once", "--period", "day", "--retention", "10d", "--lookahead", "9d"));
            assertThat(shell.out()).contains("dropped 0", "kept 1").doesNotContain("created 0");
            assertThat(shell.run(with(new String[] {"--verbose"}, look))).isOne();
            assertThat(shell.out()).contains("created 0, dropped 0, postponed 0, skipped 0, kept 1");
            assertThat(shell.err()).contains("kept p20240610: it holds messages that were not delivered");

            Sql.execute(mysql, "UPDATE outbox SET status = 1, processed_at = NOW(6)");
            run(look);
            assertThat(shell.out()).contains("created 0, dropped 1", "kept 0");
        }
    }

    private static String[] with(String[] where, String... command) {
        return Stream.of(command, where).flatMap(Stream::of).toArray(String[]::new);
    }

    @Test
    void printsEveryPresetWithAnotherTable() {
        for (String[] one :
                new String[][] {{"postgres", "event-outbox"}, {"postgres", "outbox-events"}, {"postgres", "relay-lock"}
                }) {
            run(
                    "schema",
                    "print",
                    "--dialect",
                    one[0],
                    "--preset",
                    one[1],
                    "--table",
                    "other_" + one[1].replace('-', '_'));
            execute(shell.out());
        }
        assertThat(Sql.values(database, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"))
                .containsExactly("other_event_outbox", "other_outbox_events", "other_relay_lock");
    }

    @Test
    void cleansUpAndPartitionsATableOfMysqlFromTheCommandLine() throws IOException {
        try (Database mysql = Servers.mysql().createDatabase("existing")) {
            run("schema", "print", "--dialect", "mysql", "--preset", "records-partitioned");
            Sql.execute(mysql, shell.out());
            Sql.execute(mysql, """
                    INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload, status, processed_at, updated_at) VALUES
                    (UNHEX('01900000000070008000000000000001'), 'a', 'k', 'T', '{}', 0, NULL, NOW(6) - INTERVAL 3 DAY),
                    (UNHEX('01900000000070008000000000000002'), 'a', 'k', 'T', '{}', 1, NOW(6) - INTERVAL 2 DAY, NOW(6) - INTERVAL 2 DAY),
                    (UNHEX('01900000000070008000000000000003'), 'a', 'k', 'T', '{}', -1, NULL, NOW(6) - INTERVAL 2 DAY)""");
            String config = config(mysql, "existing: { preset: records-partitioned }");

            run("cleanup", "--once", "--retention", "1d", "--include-dead", "--config", config);
            run("partitions", "--once", "--period", "day", "--lookahead", "2d", "--config", config);

            assertThat(Sql.values(mysql, "SELECT status FROM outbox")).containsExactly("0");
            assertThat(
                            Sql.values(
                                    mysql,
                                    "SELECT partition_name FROM information_schema.partitions WHERE table_name = 'outbox' AND table_schema = DATABASE() ORDER BY partition_ordinal_position"))
                    .hasSizeBetween(3, 4)
                    .endsWith("pmax");
        }
    }

    private static final String ORDER_EVENTS = """
            existing:
                  table: order_events
                  columns: { id: n, type: kind, key: order_id, payload: body, attempts: attempts, next-attempt: due, created: created_at }
                  status: { column: state, pending: NEW, delivered: DONE, dead: FAILED }
                  topic: orders""";

    private void orderEvents(int rows) {
        execute("CREATE TYPE event_state AS ENUM ('NEW', 'DONE', 'FAILED')");
        execute(
                "CREATE TABLE order_events (n BIGSERIAL PRIMARY KEY, kind TEXT, order_id TEXT, body TEXT, state event_state DEFAULT 'NEW', attempts INT DEFAULT 0, due TIMESTAMPTZ, created_at TIMESTAMPTZ DEFAULT now())");
        execute(
                "INSERT INTO order_events (kind, order_id, body) SELECT 'OrderPlaced', 'o' || n, '{}' FROM generate_series(1, %d) n"
                        .formatted(rows));
    }

    private String config(String existing) throws IOException {
        return config(database, existing);
    }

    private String config(Database of, String existing) throws IOException {
        shell.set("DB_PASSWORD", of.password());
        return Files.writeString(directory.resolve("postrider.yaml"), """
                destinations:
                  out: { type: file, path: "%s" }
                outboxes:
                  old:
                    database: { url: "%s", user: "%s", password: "${DB_PASSWORD}" }
                    destination: out
                    %s
                    relay: { ordering: none, max-attempts: 8 }
                """.formatted(
                                directory.resolve("out.jsonl"), of.jdbcUrl(), of.user(), existing))
                .toString();
    }

    private void run(String... command) {
        assertThat(shell.run(command))
                .as(String.join(" ", command) + shell.err())
                .isZero();
    }

    private void execute(String sql) {
        Sql.execute(database, sql);
    }
}
