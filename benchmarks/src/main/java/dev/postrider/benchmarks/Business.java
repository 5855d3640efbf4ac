package dev.postrider.benchmarks;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A small order service: each transaction changes a customer's row and inserts an order; with an outbox it enqueues messages too.
 * Thread-safe.
 */
final class Business {

    private static final int CUSTOMERS = 10_000;

    private final BenchOutbox bench;
    private final Outbox outbox;
    private final byte[] payload;

    Business(BenchOutbox bench, int bytes) {
        this.bench = bench;
        this.outbox = Outbox.withDefaults(bench.store());
        this.payload = new byte[bytes];
    }

    void createTables() throws SQLException {
        bench.execute("DROP TABLE IF EXISTS customer_order");
        bench.execute("DROP TABLE IF EXISTS customer");
        bench.execute("CREATE TABLE customer (id INTEGER PRIMARY KEY, orders INTEGER NOT NULL)");
        bench.execute("CREATE TABLE customer_order (id VARCHAR(64) PRIMARY KEY, customer INTEGER NOT NULL,"
                + " description VARCHAR(200) NOT NULL)");
        try (Connection connection = bench.connection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO customer VALUES (?, 0)")) {
            connection.setAutoCommit(false);
            for (int customer = 0; customer < CUSTOMERS; customer++) {
                insert.setInt(1, customer);
                insert.addBatch();
            }
            insert.executeBatch();
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Changes data through a connection whose transaction is open; commits nothing. */
    void place(Connection connection, String order, int number) throws SQLException {
        int customer = number % CUSTOMERS;
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE customer SET orders = orders + 1 WHERE id = ?")) {
            update.setInt(1, customer);
            update.executeUpdate();
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO customer_order VALUES (?, ?, ?)")) {
            insert.setString(1, order);
            insert.setInt(2, customer);
            insert.setString(3, "ten of this and two of that, to be delivered on Friday");
            insert.executeUpdate();
        }
    }

    /** The messages of one order, for one key. */
    List<OutboxMessage> messages(int number, int count) {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int left = count; left > 0; left--) {
            messages.add(message(number));
        }
        return messages;
    }

    OutboxMessage message(int number) {
        return outbox.message("orders")
                .key("order-" + number % CUSTOMERS)
                .type("com.example.OrderPlaced")
                .contentType("application/json")
                .payload(payload)
                .build();
    }

    Outbox outbox() {
        return outbox;
    }
}
