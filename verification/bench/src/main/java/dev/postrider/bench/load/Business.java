package dev.postrider.bench.load;

import dev.postrider.Outbox;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.TraceContext;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A small order service. Each of its transactions loads the customer and locks it, takes an item from stock, counts the order and its
 * sum for the customer, and inserts the order: a SELECT FOR UPDATE, two UPDATEs and an INSERT, each by primary key. With an outbox it
 * enqueues messages in the same transaction, whose order the customer's lock defines. Thread-safe.
 */
public final class Business {

    private static final int ROWS = 10_000;
    private static final String DESCRIPTION =
            "{\"lines\":[{\"item\":\"4711\",\"count\":2},{\"item\":\"0815\",\"count\":1}],\"to\":\"Main Street 1\"}";

    private final BenchDatabase database;
    private final String prefix;
    private final Outbox outbox;
    private final byte[] payload;

    /** Creates the tables, whose names begin as those of the outbox and which are dropped with it. */
    public Business(BenchOutbox bench, byte[] payload) throws SQLException {
        this.database = bench.database();
        this.prefix = bench.database().quote() + bench.prefix();
        this.outbox = Outbox.builder(bench.store()).allowAutoCommit(true).build();
        this.payload = payload;
        createTables();
    }

    private Business(Business other, Outbox outbox) {
        this.database = other.database;
        this.prefix = other.prefix;
        this.outbox = outbox;
        this.payload = other.payload;
    }

    /** The same service on the same tables, with tracing. */
    public Business tracedBy(BenchOutbox bench, TraceContext tracing) {
        return new Business(
                this,
                Outbox.builder(bench.store())
                        .allowAutoCommit(true)
                        .tracing(tracing)
                        .build());
    }

    private void createTables() throws SQLException {
        database.execute(
                "CREATE TABLE %s (id INTEGER PRIMARY KEY, available INTEGER NOT NULL)".formatted(table("stock")));
        database.execute("CREATE TABLE %s (id INTEGER PRIMARY KEY, orders INTEGER NOT NULL, total INTEGER NOT NULL)"
                .formatted(table("customer")));
        database.execute("""
                CREATE TABLE %s (id VARCHAR(64) PRIMARY KEY, customer INTEGER NOT NULL, description VARCHAR(200) NOT NULL)""".formatted(table("order")));
        fill("INSERT INTO %s VALUES (?, 0)".formatted(table("stock")));
        fill("INSERT INTO %s VALUES (?, 0, 0)".formatted(table("customer")));
    }

    private String table(String name) {
        return prefix + "_business_" + name + database.quote();
    }

    private void fill(String sql) throws SQLException {
        try (Connection connection = database.connection();
                PreparedStatement insert = connection.prepareStatement(sql)) {
            connection.setAutoCommit(false);
            for (int row = 0; row < ROWS; row++) {
                insert.setInt(1, row);
                insert.addBatch();
            }
            insert.executeBatch();
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Forgets all orders, so that rounds are alike. */
    public void forgetOrders() throws SQLException {
        database.execute("TRUNCATE TABLE " + table("order"));
    }

    /** How many orders there are. */
    public long orders() throws SQLException {
        return database.number("SELECT count(*) FROM " + table("order"));
    }

    /** Changes data through a connection whose transaction is open; commits nothing. */
    void place(Connection connection, int number) throws SQLException {
        int customer = number % ROWS;
        // The customer before the stock in every transaction, so that none wait for each other in a circle.
        int orders = lock(connection, customer);
        update(
                connection,
                "UPDATE %s SET available = available - 1 WHERE id = ?".formatted(table("stock")),
                number * 31 % ROWS);
        update(
                connection,
                "UPDATE %s SET orders = ?, total = total + 42 WHERE id = ?".formatted(table("customer")),
                orders + 1,
                customer);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO %s VALUES (?, ?, ?)".formatted(table("order")))) {
            insert.setString(1, "order-" + number);
            insert.setInt(2, customer);
            insert.setString(3, DESCRIPTION);
            insert.executeUpdate();
        }
    }

    /** Returns how many orders the customer has. */
    private int lock(Connection connection, int customer) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT orders FROM %s WHERE id = ? FOR UPDATE".formatted(table("customer")))) {
            select.setInt(1, customer);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static void update(Connection connection, String sql, int... values) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                update.setInt(i + 1, values[i]);
            }
            update.executeUpdate();
        }
    }

    /** Enqueues the messages of one order, for one key, through the same connection. */
    void enqueue(Connection connection, int number, int count) {
        List<OutboxMessage> messages =
                IntStream.range(0, count).mapToObj(n -> message(number)).toList();
        outbox.enqueue(connection, messages);
    }

    /** The first eight bytes of the payload are the number. */
    private OutboxMessage message(int number) {
        byte[] own = payload.clone();
        ByteBuffer.wrap(own).putLong(number);
        return outbox.message(BenchOutbox.TOPIC)
                .key("customer-" + number % ROWS)
                .type("com.example.OrderPlaced")
                .contentType("application/json")
                .payload(own)
                .build();
    }

    /** The number of the order that a message is about. */
    static int number(OutboxMessage message) {
        return (int) ByteBuffer.wrap(message.payload()).getLong();
    }

    Connection connection() throws SQLException {
        return database.connection();
    }

    /** Tells a relay in this process that there is something to fetch. */
    void wake() {
        outbox.wake();
    }
}
