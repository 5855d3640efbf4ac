package dev.postrider.store.h2;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RecordingDestination;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writers that lock the row of their key before they enqueue, while two relays deliver: nothing lost, no key out of order. */
class H2ConcurrencyTest {

    private static final int WRITERS = 4;
    private static final int TRANSACTIONS = 250;
    private static final int KEYS = 12;
    private static final String VERSION = "version";

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:concurrency;LOCK_TIMEOUT=60000", "", "");
    private final RecordingDestination broker = new RecordingDestination("broker");
    private OutboxStore store;
    private Outbox outbox;

    @BeforeEach
    void create() throws SQLException {
        pool.setMaxConnections(20);
        store = H2OutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build();
        outbox = Outbox.withDefaults(store);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account (id INT PRIMARY KEY, version INT NOT NULL)");
            statement.execute("INSERT INTO account SELECT x, 0 FROM SYSTEM_RANGE(0, " + (KEYS - 1) + ")");
        }
    }

    @AfterEach
    void dispose() {
        pool.dispose();
    }

    @Test
    void deliversWhatWritersCommitAndKeepsTheOrderOfEachKey() {
        List<OutboxMessage> committed;
        try (Relay one = Relay.withDefaults(store, broker);
                Relay two = Relay.withDefaults(store, broker)) {
            one.start();
            two.start();
            committed = write();
            broker.awaitDelivered(committed.size(), Duration.ofMinutes(2));
        }

        committed.sort(Comparator.comparingInt(H2ConcurrencyTest::version));
        assertThatDeliveries(broker.delivered())
                .lackNothingOf(committed)
                .containNothingBut(committed)
                .keepTheOrderOf(committed)
                .haveNoDuplicates();
        assertThat(store.stats().undelivered()).isZero();
    }

    private List<OutboxMessage> write() {
        List<CompletableFuture<List<OutboxMessage>>> writers = IntStream.range(0, WRITERS)
                .mapToObj(seed ->
                        CompletableFuture.supplyAsync(() -> write(new Random(seed)), task -> new Thread(task).start()))
                .toList();
        List<OutboxMessage> committed = new ArrayList<>();
        writers.forEach(writer -> committed.addAll(writer.join()));
        return committed;
    }

    private List<OutboxMessage> write(Random random) {
        List<OutboxMessage> committed = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                committed.addAll(transaction(connection, random));
                connection.setAutoCommit(true);
            } catch (SQLException error) {
                throw new IllegalStateException(error);
            }
        }
        return committed;
    }

    /** One key each, so that writers cannot block each other; sometimes slow, sometimes partly or wholly rolled back. */
    private List<OutboxMessage> transaction(Connection connection, Random random) throws SQLException {
        int key = random.nextInt(KEYS);
        List<OutboxMessage> messages = new ArrayList<>();
        messages.add(enqueue(connection, key));
        if (random.nextInt(10) == 0) {
            Savepoint savepoint = connection.setSavepoint();
            enqueue(connection, key);
            connection.rollback(savepoint);
        }
        messages.add(enqueue(connection, key));
        if (random.nextInt(50) == 0) {
            Thread.yield();
            store.stats();
        }
        if (random.nextInt(20) == 0) {
            connection.rollback();
            return List.of();
        }
        connection.commit();
        outbox.wake();
        return messages;
    }

    private OutboxMessage enqueue(Connection connection, int key) throws SQLException {
        OutboxMessage message = outbox.message("accounts")
                .key("account-" + key)
                .type("changed")
                .header(VERSION, String.valueOf(nextVersion(connection, key)))
                .build();
        outbox.enqueue(connection, message);
        return message;
    }

    /** Locks the row of the key until the end of the transaction. */
    private static int nextVersion(Connection connection, int key) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE account SET version = version + 1 WHERE id = ?")) {
            update.setInt(1, key);
            update.executeUpdate();
        }
        try (PreparedStatement select = connection.prepareStatement("SELECT version FROM account WHERE id = ?")) {
            select.setInt(1, key);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    private static int version(OutboxMessage message) {
        return Integer.parseInt(message.headers().get(VERSION).orElseThrow());
    }
}
