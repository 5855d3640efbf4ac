package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.message.MessageId;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement whose parameters are bound in order.
 *
 * <p>For one thread and one use; close it.
 */
@Internal
public final class SqlStatement implements AutoCloseable {

    private final PreparedStatement statement;
    private final Dialect dialect;
    private int bound;

    private SqlStatement(PreparedStatement statement, Dialect dialect) {
        this.statement = statement;
        this.dialect = dialect;
    }

    public static SqlStatement prepare(Connection connection, Dialect dialect, String sql) throws SQLException {
        return new SqlStatement(connection.prepareStatement(sql), dialect);
    }

    /** Runs a statement without parameters. */
    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public SqlStatement with(int value) throws SQLException {
        statement.setInt(++bound, value);
        return this;
    }

    public SqlStatement with(long value) throws SQLException {
        statement.setLong(++bound, value);
        return this;
    }

    public SqlStatement with(boolean value) throws SQLException {
        statement.setBoolean(++bound, value);
        return this;
    }

    public SqlStatement with(@Nullable String value) throws SQLException {
        if (value == null) {
            statement.setNull(++bound, Types.VARCHAR);
        } else {
            statement.setString(++bound, value);
        }
        return this;
    }

    public SqlStatement with(Optional<String> value) throws SQLException {
        return with(value.orElse(null));
    }

    public SqlStatement with(MessageId id) throws SQLException {
        dialect.setId(statement, ++bound, id);
        return this;
    }

    public SqlStatement with(Instant instant) throws SQLException {
        dialect.setInstant(statement, ++bound, instant);
        return this;
    }

    /** A number of microseconds, for {@link Dialect#nowPlusMicros}. */
    public SqlStatement with(Duration duration) throws SQLException {
        return with(Micros.of(duration));
    }

    /** Three parameters: lane, seq, id. */
    public SqlStatement with(RowRef row) throws SQLException {
        return with(row.lane()).with(row.seq()).with(row.id());
    }

    public SqlStatement with(RowPredicate predicate) throws SQLException {
        predicate.bind(this);
        return this;
    }

    public SqlStatement withInts(Collection<Integer> values) throws SQLException {
        for (int value : values) {
            with(value);
        }
        return this;
    }

    public SqlStatement withTexts(Collection<String> values) throws SQLException {
        for (String value : values) {
            with(value);
        }
        return this;
    }

    public SqlStatement withPayload(byte[] payload) throws SQLException {
        dialect.setPayload(statement, ++bound, payload);
        return this;
    }

    /** Binds one value that no other method knows, such as an array. */
    public SqlStatement withObject(Object value) throws SQLException {
        statement.setObject(++bound, value);
        return this;
    }

    /** Runs it and returns the number of rows. */
    public int update() throws SQLException {
        return statement.executeUpdate();
    }

    /** Ends one set of parameters and starts the next. */
    public void addToBatch() throws SQLException {
        if (dialect.canBatch()) {
            statement.addBatch();
        } else {
            statement.executeUpdate();
        }
        bound = 0;
    }

    public void runBatch() throws SQLException {
        if (dialect.canBatch()) {
            statement.executeBatch();
        }
    }

    public <T> List<T> list(RowMapper<T> mapper) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            List<T> result = new ArrayList<>();
            while (rows.next()) {
                result.add(mapper.map(rows));
            }
            return result;
        }
    }

    public <T> Optional<T> first(RowMapper<T> mapper) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? Optional.of(mapper.map(rows)) : Optional.empty();
        }
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
