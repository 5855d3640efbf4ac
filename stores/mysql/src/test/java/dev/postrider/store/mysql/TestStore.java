package dev.postrider.store.mysql;

import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** A store with the parts from which its scan is made, so that tests can make scans of their own. */
record TestStore(DataSource dataSource, OutboxStore store, JdbcContext context, HotTable hot) {

    static TestStore create(DataSource dataSource, int lanes) throws SQLException {
        OutboxStore store = MysqlOutboxStore.builder(dataSource)
                .lanes(lanes)
                .schemaMode(SchemaMode.CREATE)
                .build();
        return of(dataSource, store);
    }

    static TestStore of(DataSource dataSource, OutboxStore store) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            ServerFacts server = ServerFacts.read(connection);
            JdbcContext context = new JdbcContext(
                    dataSource,
                    MysqlDialect.of(server.version(), 1 << 20),
                    JdbcStoreOptions.defaults().withLanes(store.laneCount()));
            return new TestStore(dataSource, store, context, new HotTable(context, server.flavor()));
        }
    }

    LaneScan scan(LongSupplier nanoTime) {
        return new MysqlLaneScan(context, hot, true, nanoTime);
    }

    LaneScan plainCursor() {
        return new PlainCursorScan(context, hot);
    }

    /** The number that the next row will get. */
    long nextNumber() throws SQLException {
        try (ReadSession session = ReadSession.open(context)) {
            return hot.nextNumber(session).orElseThrow();
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(row.getMetaData().getColumnCount());
        }
    }
}
