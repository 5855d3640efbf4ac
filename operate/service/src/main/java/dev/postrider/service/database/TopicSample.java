package dev.postrider.service.database;

import dev.postrider.internal.SafeText;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

/** Finds topics in use: those of some messages that wait, failed or were given up. Thread-safe. */
public final class TopicSample {

    private static final int ROWS = 1_000;
    private static final int PATIENCE_SECONDS = 10;
    private static final List<String> TABLES = List.of("", "_held", "_delayed", "_dead");

    private final DataSource dataSource;
    private final StoreSettings settings;

    public TopicSample(DataSource dataSource, StoreSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
    }

    /** The same price on any backlog: a bounded number of rows of each table. Nothing is known of existing tables. */
    public Set<String> read() {
        if (settings.isExisting()) {
            return Set.of();
        }
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.setQueryTimeout(PATIENCE_SECONDS);
            Set<String> topics = new TreeSet<>();
            for (String table : TABLES) {
                String sql = "SELECT DISTINCT topic FROM (SELECT topic FROM %s LIMIT %d) t"
                        .formatted(SqlTable.of(connection, settings, table), ROWS);
                try (ResultSet rows = statement.executeQuery(sql)) {
                    while (rows.next()) {
                        topics.add(rows.getString(1));
                    }
                }
            }
            return topics;
        } catch (SQLException failure) {
            throw new StoreException(
                    "Could not read topics: " + SafeText.of(String.valueOf(failure.getMessage())), failure);
        }
    }
}
