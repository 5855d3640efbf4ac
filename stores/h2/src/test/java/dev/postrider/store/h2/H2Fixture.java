package dev.postrider.store.h2;

import dev.postrider.message.MessageId;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.JdbcStoreFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** A memory database of its own for each test. */
final class H2Fixture extends JdbcStoreFixture {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private H2Fixture(OutboxStore store, DataSource dataSource) {
        super(store, dataSource);
    }

    static H2Fixture open(Setup setup) {
        JdbcDataSource dataSource = memoryDatabase();
        OutboxStore store = H2OutboxStore.builder(dataSource)
                .lanes(setup.lanes())
                .limits(setup.limits())
                .audit(setup.keepsDelivered() ? AuditTrail.PLAIN : AuditTrail.NONE)
                .schemaMode(SchemaMode.CREATE)
                .build();
        return new H2Fixture(store, dataSource);
    }

    static JdbcDataSource memoryDatabase() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:test-" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }

    static void shutDown(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    @Override
    protected String table(String suffix) {
        return "\"outbox" + suffix + "\"";
    }

    @Override
    protected void bindId(PreparedStatement statement, int index, MessageId id) throws SQLException {
        statement.setObject(index, id.toUuid());
    }

    @Override
    protected MessageId readId(ResultSet row, int index) throws SQLException {
        return MessageId.fromUuid(row.getObject(index, UUID.class));
    }

    @Override
    protected boolean computesLane() {
        return true;
    }

    @Override
    public void close() {
        shutDown(dataSource());
    }
}
