package dev.postrider.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.JdbcStoreFixture;
import dev.postrider.testkit.StoreFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * An empty outbox for each test of the contract, and pools that end with it.
 *
 * <p>Tables are made once for each kind of outbox and emptied afterwards, which takes a tenth of the time.
 */
final class PostgresFixture extends JdbcStoreFixture {

    /** In every database of the test run. */
    private static final Set<String> CREATED = new HashSet<>();

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final HikariDataSource writers;
    private final HikariDataSource relays;

    private PostgresFixture(OutboxStore store, HikariDataSource writers, HikariDataSource relays) {
        super(store, writers);
        this.writers = writers;
        this.relays = relays;
    }

    static StoreFixture open(DataSource dataSource, Setup setup) {
        return open(dataSource, dataSource, setup, pool -> {});
    }

    /** The store with a pool of its own, which is configured first. */
    static StoreFixture open(
            DataSource forWriters, DataSource forRelays, Setup setup, Consumer<HikariConfig> configuration) {
        HikariDataSource writers = TestOutbox.pool(forWriters);
        HikariDataSource relays = TestOutbox.pool(forRelays, configuration);
        try {
            return new PostgresFixture(emptyStore(writers, relays, setup), writers, relays);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static OutboxStore emptyStore(DataSource writers, DataSource relays, Setup setup) throws SQLException {
        String prefix = "outbox_%d_%s".formatted(setup.lanes(), setup.keepsDelivered() ? "keeping" : "deleting");
        OutboxStore store = PostgresOutboxStore.builder(relays)
                .prefix(prefix)
                .lanes(setup.lanes())
                .limits(setup.limits())
                .audit(setup.keepsDelivered() ? AuditTrail.PLAIN : AuditTrail.NONE)
                .schemaMode(CREATED.contains(prefix) ? SchemaMode.VERIFY : SchemaMode.CREATE)
                .build();
        if (!CREATED.add(prefix)) {
            empty(writers, prefix, setup.keepsDelivered());
        }
        return store;
    }

    /** Tables of its own, which nobody else uses, and a pool with another isolation level than usual. */
    static PostgresFixture openNew(DataSource dataSource, Setup setup, AuditTrail audit) {
        HikariDataSource relays =
                TestOutbox.pool(dataSource, pool -> pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE"));
        OutboxStore store = PostgresOutboxStore.builder(relays)
                .prefix("outbox_new_" + COUNT.incrementAndGet())
                .lanes(setup.lanes())
                .limits(setup.limits())
                .audit(audit)
                .schemaMode(SchemaMode.CREATE)
                .build();
        return new PostgresFixture(store, TestOutbox.pool(dataSource), relays);
    }

    private static void empty(DataSource dataSource, String prefix, boolean keepsDelivered) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String suffix :
                    List.of("", "_held", "_delayed", "_dead", "_member", "_control", "_operation", "_dedup", "_task")) {
                statement.execute("DELETE FROM " + prefix + suffix);
            }
            if (keepsDelivered) {
                statement.execute("DELETE FROM " + prefix + "_sent");
            }
            statement.execute(
                    "UPDATE " + prefix + "_lane SET owner = NULL, epoch = 0, lease_until = NULL, scan_position = NULL");
        }
    }

    @Override
    protected String table(String suffix) {
        return store().name() + suffix;
    }

    @Override
    protected boolean computesLane() {
        return true;
    }

    @Override
    protected void bindId(PreparedStatement statement, int index, MessageId id) throws SQLException {
        statement.setObject(index, id.toUuid());
    }

    @Override
    protected MessageId readId(ResultSet row, int index) throws SQLException {
        return MessageId.fromUuid(row.getObject(index, UUID.class));
    }

    /** Tests of the contract leave connections open; the pools end them. */
    @Override
    public void close() {
        relays.close();
        writers.close();
    }
}
