package dev.postrider.examples.plainjdbc;

import dev.postrider.Outbox;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * The outbox with plain JDBC: an order and its event are written in one transaction, and a relay delivers the event to a
 * subscriber in this process. An order whose transaction rolls back sends nothing.
 */
public final class PlainJdbc {

    private final DataSource dataSource;
    private final Outbox outbox;

    private PlainJdbc(DataSource dataSource, Outbox outbox) {
        this.dataSource = dataSource;
        this.outbox = outbox;
    }

    public static void main(String[] args) throws Exception {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:plain-jdbc;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection()) {
            connection.createStatement().execute("CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY, total INT)");
        }
        OutboxStore store =
                H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
        CountDownLatch billed = new CountDownLatch(2);

        try (MemoryDestination memory = MemoryDestination.named("memory");
                Relay relay = Relay.withDefaults(store, memory)) {
            memory.subscribe("billing", message -> {
                System.out.println("billed " + message.key().orElseThrow());
                billed.countDown();
            });
            relay.start();
            new PlainJdbc(dataSource, Outbox.withDefaults(store)).placeOrders();
            billed.await(30, TimeUnit.SECONDS);
        }
    }

    private void placeOrders() throws SQLException {
        place("order-1", 42);
        try {
            place("order-1", 43);
        } catch (SQLException twice) {
            System.out.println("rolled back a second order-1");
        }
        place("order-2", 9);
    }

    /** The row and the message are committed together, or neither is. */
    private void place(String id, int total) throws SQLException {
        outbox.inTransaction(dataSource, tx -> {
            OutboxMessage message = outbox.message("orders")
                    .key(id)
                    .type("com.example.OrderPlaced")
                    .json("{\"total\": " + total + "}")
                    .build();
            insert(tx.connection(), id, total);
            tx.enqueue(message);
        });
    }

    private static void insert(Connection connection, String id, int total) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO orders VALUES (?, ?)")) {
            statement.setString(1, id);
            statement.setInt(2, total);
            statement.executeUpdate();
        }
    }
}
