package dev.postrider.store.postgres;

import dev.postrider.message.OutboxMessage;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writers that do what services do: lock a key's business row, count it up, and enqueue a message with the new count.
 *
 * <p>Some transactions are slow, rolled back, rolled back to a savepoint, take their transaction number long before they
 * write, or write to several lanes in one statement. The counts of a key say in which order its messages must arrive.
 */
final class WriterLoad {

    private static final int KEYS = 200;
    private static final long SEED = Long.getLong("postrider.test.seed", 0);
    private static final String BUSINESS = "_business";

    private final TestOutbox outbox;
    private final int isolation;
    private final Map<String, Integer> committed = new ConcurrentHashMap<>();
    private final LongAdder commits = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;
    private volatile Throwable failure;

    WriterLoad(TestOutbox outbox, int isolation) throws SQLException {
        this.outbox = outbox;
        this.isolation = isolation;
        outbox.execute(
                "CREATE TABLE {outbox}" + BUSINESS + " (k text PRIMARY KEY, n int NOT NULL) WITH (fillfactor = 50)");
        outbox.execute("INSERT INTO {outbox}" + BUSINESS + " SELECT 'key-' || i, 0 FROM generate_series(0, "
                + (KEYS - 1) + ") i");
    }

    void start(int writers) {
        for (int i = 0; i < writers; i++) {
            SplittableRandom random = new SplittableRandom(SEED + i);
            Thread thread = new Thread(() -> write(random), "writer-" + i);
            thread.start();
            threads.add(thread);
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure != null) {
            throw new AssertionError("A writer failed", failure);
        }
    }

    /** For each key how many messages were committed; their counts are 1 to that number. */
    Map<String, Integer> committed() {
        return committed;
    }

    /** How many transactions were committed since the last call. */
    long takeCommits() {
        return commits.sumThenReset();
    }

    private void write(SplittableRandom random) {
        try (Connection connection = outbox.begin()) {
            connection.setTransactionIsolation(isolation);
            while (!stopped) {
                transaction(connection, random);
            }
        } catch (SQLException | InterruptedException | RuntimeException failed) {
            failure = failed;
        }
    }

    private void transaction(Connection connection, SplittableRandom random) throws SQLException, InterruptedException {
        Map<String, Integer> counts = new ConcurrentHashMap<>();
        try {
            if (random.nextInt(100) < 5) {
                TestOutbox.query(connection, "SELECT pg_current_xact_id()");
                TimeUnit.MILLISECONDS.sleep(random.nextInt(10));
            }
            if (random.nextInt(100) < 5) {
                Savepoint savepoint = connection.setSavepoint();
                enqueue(connection, random, new ConcurrentHashMap<>());
                connection.rollback(savepoint);
            }
            if (random.nextInt(100) < 10) {
                connection.setSavepoint();
            }
            enqueue(connection, random, counts);
            if (random.nextInt(1000) < 10) {
                TimeUnit.MILLISECONDS.sleep(50 + random.nextInt(200));
            }
            if (random.nextInt(100) < 5) {
                connection.rollback();
                return;
            }
            connection.commit();
            commits.increment();
            counts.forEach((key, count) -> committed.merge(key, count, Math::max));
        } catch (SQLException conflict) {
            connection.rollback();
            if (!"40001".equals(conflict.getSQLState()) && !"40P01".equals(conflict.getSQLState())) {
                throw conflict;
            }
        }
    }

    private void enqueue(Connection connection, SplittableRandom random, Map<String, Integer> counts)
            throws SQLException {
        TreeSet<String> keys = new TreeSet<>();
        int size = random.nextInt(10) == 0 ? 8 : 1;
        for (int i = 0; i < size; i++) {
            keys.add("key-" + random.nextInt(KEYS));
        }
        List<OutboxMessage> messages = new ArrayList<>();
        for (String key : keys) {
            int count = countUp(connection, key);
            counts.put(key, count);
            messages.add(message(key, count));
        }
        outbox.store().insert(connection, messages);
    }

    private int countUp(Connection connection, String key) throws SQLException {
        String sql = "UPDATE " + outbox.table() + BUSINESS + " SET n = n + 1 WHERE k = ? RETURNING n";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    static OutboxMessage message(String key, int count) {
        return OutboxMessage.builder("orders")
                .key(key)
                .type("T")
                .payload(ByteBuffer.allocate(4).putInt(count).array())
                .build();
    }

    static int count(OutboxMessage message) {
        return ByteBuffer.wrap(message.payload()).getInt();
    }

    /** A transaction with a row in every lane, which stays open until it is closed. */
    Connection openWriterInEveryLane() throws SQLException {
        Connection connection = outbox.begin();
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        insertInEveryLane(connection, "open");
        return connection;
    }

    /** The same, prepared: no session holds it open any more. */
    void prepareWriterInEveryLane(String name) throws SQLException {
        try (Connection connection = outbox.begin();
                Statement statement = connection.createStatement()) {
            insertInEveryLane(connection, "prepared");
            statement.execute("PREPARE TRANSACTION '" + name + "'");
        }
    }

    private void insertInEveryLane(Connection connection, String prefix) {
        for (int i = 0; i < 40; i++) {
            outbox.store().insert(connection, List.of(message(prefix + i, 1)));
        }
    }
}
