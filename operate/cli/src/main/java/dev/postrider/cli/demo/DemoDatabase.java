package dev.postrider.cli.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** An embedded database in memory, with everybody's connections to it. It is gone when closed. Not thread-safe. */
final class DemoDatabase implements AutoCloseable {

    private static final int LANES = 16;

    private final String url = "jdbc:h2:mem:demo-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";
    private final List<HikariDataSource> pools = new ArrayList<>();

    /** A pool of connections for one user of the database. */
    DataSource connections(String user, int count) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(user);
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(count);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    /** A store over these connections; the first creates the tables. */
    OutboxStore store(DataSource connections) {
        return H2OutboxStore.builder(connections)
                .lanes(LANES)
                .schemaMode(SchemaMode.CREATE)
                .build();
    }

    int laneCount() {
        return LANES;
    }

    @Override
    public void close() {
        try (Connection connection = pools.get(0).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException alreadyGone) {
            // It ends with the process at the latest.
        } finally {
            pools.forEach(HikariDataSource::close);
        }
    }
}
