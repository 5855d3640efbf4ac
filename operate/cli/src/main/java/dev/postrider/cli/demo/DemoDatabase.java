package dev.postrider.cli.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.prove.write.Ledger;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** An embedded database in memory with an outbox and a ledger. It is gone when closed. Not thread-safe. */
final class DemoDatabase implements AutoCloseable {

    static final int LANES = 16;

    private static final Ledger LEDGER = new Ledger("outbox");

    private final String url = "jdbc:h2:mem:demo-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";
    private final AuditTrail audit;
    private final HikariDataSource service;

    /** Makes the service's pool large enough for these writers. */
    DemoDatabase(int writers, AuditTrail audit) {
        this.audit = audit;
        service = connections(writers + 1);
    }

    /** A pool for one more user of the database. */
    HikariDataSource connections(int count) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(count);
        return new HikariDataSource(config);
    }

    /** The connections of the service that writes. */
    DataSource service() {
        return service;
    }

    /** Where it is, for others in this process. */
    DatabaseSettings settings() {
        return DatabaseSettings.of(url, "", "");
    }

    /** A store over these connections; the first creates the tables. */
    OutboxStore store(DataSource connections) {
        return H2OutboxStore.builder(connections)
                .lanes(LANES)
                .schemaMode(SchemaMode.CREATE)
                .audit(audit)
                .build();
    }

    /** Creates a ledger with a row for each key. */
    Ledger createLedger(List<String> keys) throws SQLException {
        try (Connection connection = service.getConnection()) {
            LEDGER.create(connection);
            LEDGER.addKeys(connection, keys);
        }
        return LEDGER;
    }

    @Override
    public void close() {
        try (service;
                Connection connection = service.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException alreadyGone) {
            // It ends with the process at the latest.
        }
    }
}
