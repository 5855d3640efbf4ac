package dev.postrider.store.postgres;

import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

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

    Parameters withSnapshots(List<Optional<Snapshot>> snapshots) throws SQLException {
        String[] texts = snapshots.stream()
                .map(snapshot -> snapshot.map(Snapshot::text).orElse(null))
                .toArray(String[]::new);
        statement.setArray(++bound, connection.createArrayOf("text", texts));
        return this;
    }

    Parameters withTexts(Collection<String> values) throws SQLException {
        statement.setArray(++bound, connection.createArrayOf("text", values.toArray()));
        return this;
    }

    /** An array of primitives travels in binary form; the driver would write one of objects as text. */
    Parameters withInts(int[] values) throws SQLException {
        statement.setObject(++bound, values);
        return this;
    }

    Parameters withLongs(long[] values) throws SQLException {
        statement.setObject(++bound, values);
        return this;
    }

    /** As a literal, for a {@code CAST(? AS uuid[])}: the driver's own array of ids took a seventh of a drain's time. */
    Parameters withIds(List<RowRef> rows) throws SQLException {
        StringJoiner literal = new StringJoiner(",", "{", "}");
        rows.forEach(row -> literal.add(row.id().toUuid().toString()));
        return with(literal.toString());
    }
}
