package dev.postrider.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.Optional;

/** Binds the parameters of one statement in order, arrays included. */
final class Parameters {

    private final Connection connection;
    private final PreparedStatement statement;
    private int bound;

    Parameters(Connection connection, PreparedStatement statement) {
        this.connection = connection;
        this.statement = statement;
    }

    Parameters with(int value) throws SQLException {
        statement.setInt(++bound, value);
        return this;
    }

    Parameters with(long value) throws SQLException {
        statement.setLong(++bound, value);
        return this;
    }

    Parameters with(boolean value) throws SQLException {
        statement.setBoolean(++bound, value);
        return this;
    }

    Parameters with(String value) throws SQLException {
        statement.setString(++bound, value);
        return this;
    }

    Parameters with(Optional<Snapshot> snapshot) throws SQLException {
        if (snapshot.isPresent()) {
            statement.setString(++bound, snapshot.get().text());
        } else {
            statement.setNull(++bound, Types.VARCHAR);
        }
        return this;
    }

    Parameters withTexts(Collection<String> values) throws SQLException {
        return withArray("text", values);
    }

    Parameters withInts(Collection<Integer> values) throws SQLException {
        return withArray("integer", values);
    }

    Parameters withLongs(Collection<Long> values) throws SQLException {
        return withArray("bigint", values);
    }

    Parameters withArray(String type, Collection<?> values) throws SQLException {
        statement.setArray(++bound, connection.createArrayOf(type, values.toArray()));
        return this;
    }
}
