package dev.postrider.store.mysql;

import static dev.postrider.testkit.UnreadableRows.letters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageLimits;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.UnreadableRows;
import dev.postrider.testservers.NotOnTidb;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows with values that a driver or a strict session refuses: they stop no other row, and are lost to nobody. */
class UnreadableRowsIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final List<String> IMPOSSIBLE =
            List.of("0000-00-00", "2024-00-00", "2024-05-00", "2024-02-31", "2023-02-29");

    private final RecordingDestination destination = new RecordingDestination("recording");

    @NotOnTidb("tidb_enable_check_constraint is OFF by default, so that a CHECK is read and not kept")
    @ParameterizedTest
    @EnumSource(
            value = TestServer.class,
            names = {"MYSQL", "MARIADB"})
    void refusesTimesThatAreNoDates(TestServer server) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("refused")) {
            TestStore store = TestStore.create(dataSource, 1);
            for (String time : IMPOSSIBLE) {
                assertThatThrownBy(() -> insertLoosely(dataSource, "outbox", "created_at", time, "k"))
                        .hasMessageContaining("outbox_created_at_is_a_date");
                assertThatThrownBy(() -> insertLoosely(dataSource, "outbox_delayed", "due_at", time, "k"))
                        .hasMessageContaining("outbox_due_at_is_a_date");
            }
            insertLoosely(dataSource, "outbox", "created_at", "2024-02-29", "good");

            assertThat(store.store().stats().undelivered()).isOne();
        }
    }

    /**
     * Read with every pair of driver and server; delivered at once, held, kept, and given up. The tables have lost their CHECKs, as
     * in a copy made by hand.
     */
    @ParameterizedTest
    @EnumSource(TestServer.class)
    void deliversMessagesWhoseTimeIsImpossible(TestServer server) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("times")) {
            OutboxStore store = MysqlOutboxStore.builder(dataSource)
                    .lanes(1)
                    .audit(AuditTrail.PLAIN)
                    .schemaMode(SchemaMode.CREATE)
                    .build();
            execute(dataSource, "ALTER TABLE outbox DROP CONSTRAINT outbox_created_at_is_a_date");
            execute(dataSource, "ALTER TABLE outbox_delayed DROP CONSTRAINT outbox_due_at_is_a_date");
            for (String time : IMPOSSIBLE) {
                insertLoosely(dataSource, "outbox", "created_at", time, "sent " + time);
                insertLoosely(dataSource, "outbox", "created_at", time, "held " + time);
                insertLoosely(dataSource, "outbox", "created_at", time, "dead " + time);
                insertLoosely(dataSource, "outbox_delayed", "due_at", time, "sent delayed " + time);
            }
            insertLoosely(dataSource, "outbox_delayed", "due_at", "9999-00-00", "never");
            assertThat(store.stats().undelivered()).isEqualTo(3L * IMPOSSIBLE.size());
            destination.answer(message -> answer(message.key().orElseThrow()));
            try (Relay relay = Relay.builder(store, destination)
                    .backoff(Backoff.constant(Duration.ofMillis(10)))
                    .build()) {
                relay.start();
                destination.awaitDelivered(3 * IMPOSSIBLE.size(), SOON);
            }

            assertThat(letters(store)).hasSize(IMPOSSIBLE.size()).allMatch(DeadLetter::isReadable);
            assertThat(store.stats().undelivered()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestServer.class,
            names = {"MYSQL", "MARIADB"})
    void givesUpAHeldRowThatIsNoMessageAnyMore(TestServer server) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("changed")) {
            TestStore store = TestStore.create(dataSource, 1);
            insertLoosely(dataSource, "outbox", "created_at", "2024-02-29", "changed");
            insertLoosely(dataSource, "outbox", "created_at", "2024-02-29", "changed");
            destination.answer(message -> DeliveryResult.retry("busy"));
            Relay.withDefaults(store.store(), destination).drainOnce();
            store.execute(
                    "UPDATE outbox_held SET type = '', next_attempt_at = UTC_TIMESTAMP(6) WHERE next_attempt_at IS NOT NULL");
            destination.answer(message -> DeliveryResult.DELIVERED);

            Relay.withDefaults(store.store(), destination).drainOnce();

            assertThat(destination.delivered()).hasSize(1);
            assertThat(letters(store.store()))
                    .singleElement()
                    .matches(letter -> letter.reason() == DeadReason.UNREADABLE && letter.attempts() > 0);
            assertThat(store.store().stats().held()).isZero();
        }
    }

    private DeliveryResult answer(String key) {
        if (key.startsWith("dead")) {
            return DeliveryResult.reject("no");
        }
        long attempts = destination.sent().stream()
                .filter(message -> message.key().orElseThrow().equals(key))
                .count();
        return key.startsWith("held") && attempts <= 1 ? DeliveryResult.retry("busy") : DeliveryResult.DELIVERED;
    }

    private static void insertLoosely(HikariDataSource dataSource, String table, String column, String time, String key)
            throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute("SET sql_mode = 'ALLOW_INVALID_DATES'");
            try {
                statement.execute(
                        "INSERT INTO %s (id, topic, message_key, type, payload, %s) VALUES (UNHEX(REPLACE(UUID(), '-', '')), 't', '%s', 'T', '', '%s')"
                                .formatted(table, column, key, time));
            } finally {
                statement.execute("SET sql_mode = DEFAULT");
            }
        }
    }

    private static void execute(HikariDataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestServer.class,
            names = {"MYSQL", "MARIADB"})
    void deliversRowsWithNumbersThatSomebodyChose(TestServer server) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("numbers")) {
            TestStore store = TestStore.create(dataSource, 1);
            insertWithSeq(store, -5);
            insertWithSeq(store, Long.MAX_VALUE);
            store.execute(
                    "INSERT INTO outbox (seq, id, topic, message_key, type, payload, created_at) VALUES (7, UNHEX(REPLACE(UUID(), '-', '')), 't', 'k', 'T', '', UTC_TIMESTAMP(6))");
            try (Relay relay = Relay.withDefaults(store.store(), destination)) {
                relay.start();
                destination.awaitDelivered(3, SOON);
            }
            assertThat(store.store().stats().undelivered()).isZero();
        }
    }

    private static void insertWithSeq(TestStore store, long seq) throws SQLException {
        store.execute(
                "INSERT INTO outbox (seq, id, topic, message_key, type, payload, created_at) VALUES (%1$d, UNHEX(REPLACE(UUID(), '-', '')), 't', 'k%1$d', 'T', '', UTC_TIMESTAMP(6))"
                        .formatted(seq));
    }

    @ParameterizedTest
    @EnumSource(
            value = TestServer.class,
            names = {"MYSQL", "MARIADB"})
    void retriesALetterThatWasTooLargeOnceTheLimitIsRaised(TestServer server) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("limits")) {
            OutboxStore store = MysqlOutboxStore.builder(dataSource)
                    .limits(MessageLimits.defaults().withMaxPayloadBytes(10))
                    .schemaMode(SchemaMode.CREATE)
                    .build();
            execute(
                    dataSource,
                    "INSERT INTO outbox (id, topic, type, payload, created_at) VALUES (UNHEX(REPLACE(UUID(), '-', '')), 't', 'T', REPEAT('x', 11), UTC_TIMESTAMP(6))");
            OutboxStore raised = MysqlOutboxStore.builder(dataSource)
                    .schemaMode(SchemaMode.VERIFY)
                    .build();

            UnreadableRows.assertRetriedOnceTheLimitIsRaised(
                    store, raised, "x".repeat(11).getBytes(StandardCharsets.UTF_8));
        }
    }
}
