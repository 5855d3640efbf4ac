package dev.postrider.store.mysql;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Services at work: each transaction locks and counts up the business rows of a few keys, then enqueues one message per key
 * with its new count. So a key's messages must arrive as 1, 2, 3 and so on, up to the count that its row ends with.
 *
 * <p>Some transactions stay open for longer than the scan's margin, some roll back, some roll back to a savepoint after a
 * message that must never be seen, some take their transaction number long before they enqueue. They are READ COMMITTED,
 * REPEATABLE READ or, a few, SERIALIZABLE. Some lock the end of the outbox before they enqueue, and stay open: others draw their numbers, wait,
 * and write lower numbers than those that are already there. On TiDB some are optimistic.
 */
final class BusinessWriters {

    static final String NEVER = "never";

    private static final int KEYS = 300;
    /** A deadlock, a lock wait that took too long, and what MariaDB calls a deadlock about numbers at innodb_autoinc_lock_mode 0;
     * TiDB's write conflicts. */
    private static final Set<Integer> CONFLICTS = Set.of(1213, 1205, 1467, 8002, 9007);

    /** Query interrupted, server has gone away, connection was killed, connection was killed (as MariaDB says it). */
    private static final Set<Integer> KILLED = Set.of(1317, 2006, 3169, 1927);

    private static final List<Integer> ISOLATIONS = List.of(
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE);

    private final TestServer server;
    private final DataSource dataSource;
    private final OutboxStore store;

    private BusinessWriters(TestServer server, DataSource dataSource, OutboxStore store) {
        this.server = server;
        this.dataSource = dataSource;
        this.store = store;
    }

    /** Creates the business rows. */
    static BusinessWriters create(TestServer server, DataSource dataSource, OutboxStore store) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE business (id INT PRIMARY KEY, n BIGINT NOT NULL)");
            for (int key = 0; key < KEYS; key++) {
                statement.execute("INSERT INTO business VALUES (" + key + ", 0)");
            }
        }
        return join(server, dataSource, store);
    }

    /** Writes to business rows that exist. */
    static BusinessWriters join(TestServer server, DataSource dataSource, OutboxStore store) {
        return new BusinessWriters(server, dataSource, store);
    }

    /** Transactions until the deadline, in monotonic nanoseconds. */
    void write(long deadline, long seed) throws SQLException, InterruptedException {
        Random random = new Random(seed);
        while (System.nanoTime() - deadline < 0) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                while (System.nanoTime() - deadline < 0) {
                    transactionOrDeadlock(connection, random);
                }
            } catch (SQLException | StoreException failure) {
                if (!isKilled(failure)) {
                    throw failure;
                }
            }
        }
    }

    /** Somebody has killed the connection: nobody knows whether the transaction was committed, but message and count were together. */
    static boolean isKilled(Exception failure) {
        Throwable cause = failure instanceof SQLException ? failure : failure.getCause();
        return cause instanceof SQLException broken
                && (KILLED.contains(broken.getErrorCode())
                        || String.valueOf(broken.getSQLState()).startsWith("08"));
    }

    /**
     * Writers that lock the end of the table may end in a deadlock with each other, see {@link SavepointLocksIT}: a service
     * tries again, and nothing of it may be seen.
     */
    private void transactionOrDeadlock(Connection connection, Random random) throws SQLException, InterruptedException {
        try {
            transaction(connection, random);
        } catch (StoreException | SQLException failure) {
            Throwable cause = failure instanceof SQLException ? failure : failure.getCause();
            if (!(cause instanceof SQLException conflict) || !CONFLICTS.contains(conflict.getErrorCode())) {
                throw failure;
            }
            connection.rollback();
        }
    }

    private void transaction(Connection connection, Random random) throws SQLException, InterruptedException {
        connection.setTransactionIsolation(server.isolation(ISOLATIONS.get(random.nextInt(ISOLATIONS.size()))));
        if (server.flavor() == Flavor.TIDB) {
            execute(
                    connection,
                    "SET tidb_txn_mode = '" + (random.nextInt(5) == 0 ? "optimistic" : "pessimistic") + "'");
        }
        TreeSet<Integer> keys = new TreeSet<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            keys.add(random.nextInt(KEYS));
        }
        List<OutboxMessage> messages = new ArrayList<>();
        for (int key : keys) {
            messages.add(message("key-" + key, countUp(connection, key)));
        }
        if (random.nextInt(20) == 0) {
            // The server has numbered the transaction at its first write, above; others number theirs and commit
            // meanwhile.
            TimeUnit.MILLISECONDS.sleep(random.nextInt(30));
        }
        if (random.nextInt(10) == 0) {
            Savepoint savepoint = connection.setSavepoint();
            store.insert(connection, List.of(message("key-" + keys.first(), -1), message(NEVER, -1)));
            connection.rollback(savepoint);
        }
        boolean locksTheEnd = random.nextInt(40) == 0;
        if (locksTheEnd) {
            lockTheEnd(connection, random);
        }
        store.insert(connection, messages);
        if (random.nextInt(60) == 0 || locksTheEnd) {
            TimeUnit.MILLISECONDS.sleep(1200 + random.nextInt(1000));
        }
        if (random.nextInt(20) == 0) {
            connection.rollback();
        } else {
            connection.commit();
        }
    }

    /** At REPEATABLE READ and SERIALIZABLE; at READ COMMITTED it does no harm. TiDB locks by the last way only. */
    private void lockTheEnd(Connection connection, Random random) throws SQLException {
        switch (random.nextInt(server.flavor() == Flavor.TIDB ? 3 : 2)) {
            case 0 -> execute(connection, "SELECT COUNT(*) FROM outbox WHERE seq > (SELECT MAX(seq) FROM outbox)");
            case 1 -> {
                store.insert(connection, List.of(message(NEVER, -1)));
                execute(
                        connection,
                        "DELETE FROM outbox WHERE seq >= LAST_INSERT_ID() AND message_key = '" + NEVER + "'");
            }
            default -> {
                store.insert(connection, List.of(message(NEVER, -1)));
                long next = lastNumber(connection) + 1;
                execute(connection, "DELETE FROM outbox WHERE seq = LAST_INSERT_ID()");
                execute(
                        connection,
                        "SELECT id FROM outbox WHERE seq IN (%d, %d, %d) FOR UPDATE"
                                .formatted(next + 3, next + 5, next + 8));
            }
        }
    }

    private static long lastNumber(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long countUp(Connection connection, int key) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement("SELECT n FROM business WHERE id = ? FOR UPDATE");
                PreparedStatement update = connection.prepareStatement("UPDATE business SET n = ? WHERE id = ?")) {
            lock.setInt(1, key);
            long n;
            try (ResultSet row = lock.executeQuery()) {
                row.next();
                n = row.getLong(1) + 1;
            }
            update.setLong(1, n);
            update.setInt(2, key);
            update.executeUpdate();
            return n;
        }
    }

    static OutboxMessage message(String key, long n) {
        return OutboxMessage.builder("orders")
                .key(key)
                .type("counted")
                .payload(Long.toString(n).getBytes(StandardCharsets.UTF_8))
                .build();
    }

    /** How many messages of each key were committed. */
    Map<String, Long> committed() throws SQLException {
        Map<String, Long> counts = new HashMap<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, n FROM business WHERE n > 0")) {
            while (rows.next()) {
                counts.put("key-" + rows.getInt(1), rows.getLong(2));
            }
        }
        return counts;
    }
}
