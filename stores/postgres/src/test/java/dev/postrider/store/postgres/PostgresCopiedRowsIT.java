package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.PostgresServer;
import dev.postrider.testservers.PrivateServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * Rows that were written on another server, whose transaction numbers are higher than any here: by logical replication, and by
 * the COPY of a dump. They are delivered like rows that were written here, while the outbox is open.
 */
class PostgresCopiedRowsIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static PrivateServer origin;
    private static PrivateServer copy;
    private static HikariDataSource originPool;
    private static HikariDataSource copyPool;

    @BeforeAll
    static void start() throws SQLException {
        Map<String, String> settings = Map.of("wal_level", "logical", "fsync", "off");
        origin = PostgresServer.startPrivate(settings);
        copy = PostgresServer.startPrivate(settings);
        originPool = TestOutbox.pool(origin.dataSource());
        copyPool = TestOutbox.pool(copy.dataSource());
        execute(
                originPool,
                "DO $$ BEGIN FOR i IN 1..20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
    }

    @AfterAll
    static void stop() {
        originPool.close();
        copyPool.close();
        origin.close();
        copy.close();
    }

    /** What is there already comes by COPY, what follows by the worker that applies changes; both in order per key. */
    @Test
    void deliversWhatLogicalReplicationBrings() throws SQLException {
        TestOutbox from = TestOutbox.create(originPool);
        TestOutbox to = copyOf(from);
        RecordingDestination destination = new RecordingDestination("broker");
        try (Relay relay = Relay.withDefaults(to.store(), destination)) {
            relay.start();
            to.insertCommitted("local");
            destination.awaitDelivered(1, SOON);
            write(from, 0, 10);
            from.execute("CREATE PUBLICATION {outbox} FOR TABLE {outbox}");
            to.execute(
                    "CREATE SUBSCRIPTION {outbox} CONNECTION 'host=127.0.0.1 port=%d user=%s dbname=%s' PUBLICATION {outbox}"
                            .formatted(origin.port(), origin.user(), from.query("SELECT current_database()")));
            destination.awaitDelivered(11, SOON);
            write(from, 10, 20);
            destination.awaitDelivered(21, SOON);
        } finally {
            to.execute("DROP SUBSCRIPTION {outbox}");
        }
        assertDelivered(destination, 20);
    }

    /** As pg_dump --data-only writes it: with all columns, also those that the table would compute. */
    @ParameterizedTest
    @ValueSource(strings = {"origin", "replica"})
    void deliversWhatADumpBrings(String role) throws SQLException, IOException {
        TestOutbox from = TestOutbox.create(originPool);
        TestOutbox to = copyOf(from);
        RecordingDestination destination = new RecordingDestination("broker");
        try (Relay relay = Relay.withDefaults(to.store(), destination)) {
            relay.start();
            to.insertCommitted("local");
            destination.awaitDelivered(1, SOON);
            write(from, 0, 20);
            load(to, dump(from), "SET LOCAL session_replication_role = " + role);
            destination.awaitDelivered(21, SOON);
        }
        assertDelivered(destination, 20);
    }

    /** No trigger gives these rows a number of this server. The sweep finds them; their order is that of the dump. */
    @Test
    void deliversWhatADumpBringsWithTriggersSwitchedOff() throws SQLException, IOException {
        TestOutbox from = TestOutbox.create(originPool);
        TestOutbox to = copyOf(from);
        RecordingDestination destination = new RecordingDestination("broker");
        try (Relay relay = Relay.builder(to.store(), destination)
                .sweepInterval(Duration.ofSeconds(1))
                .build()) {
            relay.start();
            to.insertCommitted("local");
            destination.awaitDelivered(1, SOON);
            write(from, 0, 20);
            load(to, dump(from), "ALTER TABLE {outbox} DISABLE TRIGGER ALL");
            destination.awaitDelivered(21, SOON);
        }
        assertDelivered(destination, 20);
    }

    /** The same tables on the other server, under the same name. */
    private static TestOutbox copyOf(TestOutbox from) {
        return TestOutbox.create(copyPool, builder -> builder.prefix(from.table()));
    }

    /** One transaction each, so that each has a number of its own. */
    private static void write(TestOutbox outbox, int from, int to) throws SQLException {
        for (int i = from; i < to; i++) {
            try (Connection connection = outbox.begin()) {
                outbox.store()
                        .insert(
                                connection,
                                List.of(OutboxMessage.builder("orders")
                                        .key("key-" + i % 3)
                                        .type("copied-" + i)
                                        .build()));
                connection.commit();
            }
        }
    }

    private static byte[] dump(TestOutbox outbox) throws SQLException, IOException {
        try (Connection connection = outbox.dataSource().getConnection()) {
            ByteArrayOutputStream rows = new ByteArrayOutputStream();
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut("COPY %s (%s) TO STDOUT".formatted(outbox.table(), columns(outbox)), rows);
            return rows.toByteArray();
        }
    }

    private static void load(TestOutbox outbox, byte[] rows, String first) throws SQLException, IOException {
        try (Connection connection = outbox.begin();
                Statement statement = connection.createStatement()) {
            statement.execute(first.replace("{outbox}", outbox.table()));
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "COPY %s (%s) FROM STDIN".formatted(outbox.table(), columns(outbox)),
                            new ByteArrayInputStream(rows));
            connection.commit();
        }
    }

    private static String columns(TestOutbox outbox) throws SQLException {
        return outbox.query("""
                SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute
                WHERE attrelid = '{outbox}'::regclass AND attnum > 0 AND NOT attisdropped""");
    }

    private static void assertDelivered(RecordingDestination destination, int copied) {
        for (int key = 0; key < 3; key++) {
            int of = key;
            assertThat(destination.delivered())
                    .filteredOn(message -> message.key().orElseThrow().equals("key-" + of))
                    .extracting(message -> message.type())
                    .containsExactlyElementsOf(IntStream.range(0, copied)
                            .filter(i -> i % 3 == of)
                            .mapToObj(i -> "copied-" + i)
                            .toList());
        }
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
