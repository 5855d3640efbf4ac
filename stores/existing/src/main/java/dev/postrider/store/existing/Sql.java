package dev.postrider.store.existing;

import dev.postrider.store.jdbc.RowMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A statement that grows piece by piece, each piece with its parameters. For one thread. */
final class Sql {

    private final StringBuilder text = new StringBuilder();
    private final List<@Nullable Object> parameters = new ArrayList<>();

    private Sql() {}

    static Sql of(String piece, @Nullable Object... values) {
        return new Sql().add(piece, values);
    }

    Sql add(String piece, @Nullable Object... values) {
        if (!text.isEmpty()) {
            text.append(' ');
        }
        text.append(piece);
        parameters.addAll(Arrays.asList(values));
        return this;
    }

    Sql add(Sql other) {
        return add(other.text.toString(), other.parameters.toArray());
    }

    /** {@code (?, ?, …)}; never for an empty list. */
    Sql addList(Collection<?> values) {
        text.append(" (").append("?, ".repeat(values.size() - 1)).append("?)");
        parameters.addAll(values);
        return this;
    }

    int update(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection)) {
            return statement.executeUpdate();
        }
    }

    <T> List<T> list(Connection connection, RowMapper<T> mapper) throws SQLException {
        try (PreparedStatement statement = prepare(connection);
                ResultSet rows = statement.executeQuery()) {
            List<T> result = new ArrayList<>();
            while (rows.next()) {
                result.add(mapper.map(rows));
            }
            return result;
        }
    }

    <T> Optional<T> first(Connection connection, RowMapper<T> mapper) throws SQLException {
        return list(connection, mapper).stream().findFirst();
    }

    private PreparedStatement prepare(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text.toString());
        try {
            int index = 0;
            for (Object parameter : parameters) {
                statement.setObject(++index, parameter);
            }
            return statement;
        } catch (SQLException refused) {
            statement.close();
            throw refused;
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
