package dev.postrider.springtests;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.Inbox;
import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.postgres.PostgresInboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.Servers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.JdbcTemplate;

/** A database of PostgreSQL with orders, an outbox and an inbox, and a relay to be run by hand. */
final class Shop implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    final HikariDataSource pool = new HikariDataSource();
    final JdbcTemplate jdbc = new JdbcTemplate(pool);
    final OutboxStore store;
    final Outbox outbox;
    final Inbox inbox;
    private final RecordingDestination destination = new RecordingDestination("broker");

    private Shop() {
        pool.setDataSource(Servers.postgres()
                .createDatabase("spring_" + COUNT.incrementAndGet())
                .dataSource());
        pool.setMaximumPoolSize(6);
        store = PostgresOutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build();
        outbox = Outbox.withDefaults(store);
        inbox = Inbox.over(
                PostgresInboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build());
        jdbc.execute("CREATE TABLE orders (id TEXT PRIMARY KEY, status TEXT NOT NULL)");
    }

    static Shop open() {
        return new Shop();
    }

    OutboxMessage message(String key, String text) {
        return outbox.message("orders")
                .key(key)
                .type("com.example.Order")
                .json("\"" + text + "\"")
                .build();
    }

    void insertOrder(String id) {
        jdbc.update("INSERT INTO orders VALUES (?, 'new')", id);
    }

    List<String> orders() {
        return jdbc.queryForList("SELECT id FROM orders ORDER BY id", String.class);
    }

    /** What a relay delivers, in order. */
    List<OutboxMessage> delivered() {
        Relay.withDefaults(store, destination).drainOnce();
        return destination.delivered();
    }

    List<String> deliveredKeys() {
        return delivered().stream().map(message -> message.key().orElse("")).toList();
    }

    @Override
    public void close() {
        pool.close();
    }
}
