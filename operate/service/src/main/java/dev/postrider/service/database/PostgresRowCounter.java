package dev.postrider.service.database;

import dev.postrider.service.database.TableCounters.Sample;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** PostgreSQL counts itself, and tells everybody. */
record PostgresRowCounter(StoreSettings settings) implements RowCounter {

    private static final String COUNTED =
            "SELECT n_tup_ins, n_tup_del FROM pg_stat_user_tables WHERE relid = to_regclass(?)";

    @Override
    public Optional<Sample> read(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COUNTED)) {
            statement.setString(1, settings.table("\"", ""));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(Sample.now(row.getLong(1), row.getLong(2))) : Optional.empty();
            }
        }
    }
}
