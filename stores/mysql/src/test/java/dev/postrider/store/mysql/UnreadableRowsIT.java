package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageLimits;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RecordingDestination;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows with values that a driver or a strict session refuses: they stop no other row, and are lost to nobody. */
class UnreadableRowsIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final RecordingDestination destination = new RecordingDestination("recording");

    /** Read with every pair of driver and server; delivered at once, held, kept, and given up. */
    @ParameterizedTest
    @EnumSource(TestServer.class)
    void deliversMessagesWhoseTimeIsImpossible(TestServer server) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("times")) {
            OutboxStore store = MysqlOutboxStore.builder(dataSource)
                    .lanes(1)
                    .audit(AuditTrail.PLAIN)
                    .schemaMode(SchemaMode.CREATE)
                    .build();
            List<String> times = List.of("0000-00-00", "2024-00-00", "2024-05-00");
            for (String time : times) {
                insertLoosely(dataSource, "outbox", "created_at", time, "sent " + time);
                insertLoosely(dataSource, "outbox", "created_at", time, "held " + time);
                insertLoosely(dataSource, "outbox", "created_at", time, "dead " + time);
            }
            insertLoosely(dataSource, "outbox_delayed", "due_at", "0000-00-00", "sent delayed");
            assertThat(store.stats().undelivered()).isEqualTo(9);
            destination.answer(message -> answer(message.key().orElseThrow()));
            try (Relay relay = Relay.builder(store, destination)
                    .backoff(Backoff.constant(Duration.ofMillis(10)))
                    .build()) {
                relay.start();
                destination.awaitDelivered(7, SOON);
            }

            assertThat(letters(store)).hasSize(3).allMatch(DeadLetter::isReadable);
            assertThat(store.stats().undelivered()).isZero();
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
            statement.execute("SET sql_mode = ''");
            statement.execute(
                    "INSERT INTO %s (id, topic, message_key, type, payload, %s) VALUES (UNHEX(REPLACE(UUID(), '-', '')), 't', '%s', 'T', '', '%s')"
                            .formatted(table, column, key, time));
            statement.execute("SET sql_mode = DEFAULT");
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
                    "INSERT INTO outbox (seq, id, topic, message_key, type, payload) VALUES (7, UNHEX(REPLACE(UUID(), '-', '')), 't', 'k', 'T', '')");
            try (Relay relay = Relay.withDefaults(store.store(), destination)) {
                relay.start();
                destination.awaitDelivered(3, SOON);
            }
            assertThat(store.store().stats().undelivered()).isZero();
        }
    }

    private static void insertWithSeq(TestStore store, long seq) throws SQLException {
        store.execute(
                "INSERT INTO outbox (seq, id, topic, message_key, type, payload) VALUES (%1$d, UNHEX(REPLACE(UUID(), '-', '')), 't', 'k%1$d', 'T', '')"
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
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "INSERT INTO outbox (id, topic, type, payload) VALUES (UNHEX(REPLACE(UUID(), '-', '')), 't', 'T', REPEAT('x', 11))");
            }
            Relay.withDefaults(store, destination).drainOnce();
            DeadLetter letter = letters(store).get(0);

            assertThat(letter.isReadable()).isFalse();
            assertThat(store.deadLetters().raw(letter.ref()).orElseThrow().payload())
                    .asString()
                    .isEqualTo("x".repeat(11));
            assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann"))
                    .isZero();

            OutboxStore raised = MysqlOutboxStore.builder(dataSource)
                    .schemaMode(SchemaMode.VERIFY)
                    .build();
            assertThat(raised.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann"))
                    .isOne();
            Relay.withDefaults(raised, destination).drainOnce();
            assertThat(destination.delivered())
                    .singleElement()
                    .satisfies(message -> assertThat(message.payload()).hasSize(11));
            assertThat(letters(raised)).isEmpty();
        }
    }

    private static List<DeadLetter> letters(OutboxStore store) {
        return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 100);
    }
}
