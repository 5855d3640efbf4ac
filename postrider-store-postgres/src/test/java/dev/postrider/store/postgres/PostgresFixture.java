package dev.postrider.store.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.JdbcStoreFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * An empty outbox for each test of the contract, and a pool that ends with it.
 *
 * <p>Tables are made once for each kind of outbox and emptied afterwards, which takes a tenth of the time.
 */
final class PostgresFixture extends JdbcStoreFixture {

    private static final Set<String> CREATED = new HashSet<>();

    private final HikariDataSource pool;

    private PostgresFixture(OutboxStore store, HikariDataSource pool) {
        super(store, pool);
        this.pool = pool;
    }

    static PostgresFixture open(DataSource dataSource, Setup setup) throws SQLException {
        HikariDataSource pool = TestOutbox.pool(dataSource);
        String prefix = "outbox_%d_%s".formatted(setup.lanes(), setup.keepsDelivered() ? "keeping" : "deleting");
        OutboxStore store = PostgresOutboxStore.builder(pool)
                .prefix(prefix)
                .lanes(setup.lanes())
                .limits(setup.limits())
                .audit(setup.keepsDelivered() ? AuditTrail.PLAIN : AuditTrail.NONE)
                .schemaMode(CREATED.contains(prefix) ? SchemaMode.VERIFY : SchemaMode.CREATE)
                .build();
        if (!CREATED.add(prefix)) {
            empty(pool, prefix, setup.keepsDelivered());
        }
        return new PostgresFixture(store, pool);
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

    /** Tests of the contract leave connections open; the pool ends them. */
    @Override
    public void close() {
        pool.close();
    }
}
