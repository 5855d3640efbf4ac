package dev.postrider.micrometer;

import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

class H2RelayMetricsTest extends RelayMetricsContract {

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
    private final OutboxStore store =
            H2OutboxStore.builder(pool).lanes(4).schemaMode(SchemaMode.CREATE).build();

    @AfterEach
    void shutDown() throws Exception {
        close();
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        }
        pool.dispose();
    }

    @Override
    OutboxStore store() {
        return store;
    }

    @Override
    DataSource dataSource() {
        return pool;
    }
}
