package dev.postrider.service.database;

import dev.postrider.internal.SafeText;
import dev.postrider.message.MessageId;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Follows one message through the tables of an outbox.
 *
 * <p>A message moves from the hot table to the held one and on to the dead letters, and never back by itself: whoever looks in this order
 * finds it, or knows that it was delivered. Thread-safe.
 */
public final class MessageTracker {

    /** Where a message is; its number in its lane is its own for ever. */
    public record Position(int lane, long seq, MessageId id) {}

    /** How a message stands. */
    public sealed interface State {
        /** No relay has recorded anything of it yet. */
        record Waiting() implements State {}

        /** An attempt has failed, or it waits behind an earlier message of its key. */
        record Held(int attempts, String error) implements State {}

        /** It was given up. */
        record Dead(String reason, String error) implements State {}

        /** It has left the outbox. */
        record Delivered() implements State {}
    }

    private static final String LOCATE = "SELECT lane, seq FROM %s WHERE id = ?";
    private static final String IS_HOT = "SELECT seq FROM %s WHERE lane = ? AND seq = ? AND id = ?";
    private static final String IS_HELD = "SELECT attempts, last_error FROM %s WHERE lane = ? AND seq = ? AND id = ?";

    private final DataSource dataSource;
    private final StoreSettings settings;
    private final OutboxStore store;

    public MessageTracker(DataSource dataSource, StoreSettings settings, OutboxStore store) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.store = store;
    }

    /** Finds a message that was just enqueued through this connection. Reads the whole hot table: ids have no index. */
    public Position locate(Connection connection, MessageId id) {
        try (PreparedStatement statement =
                connection.prepareStatement(LOCATE.formatted(SqlTable.of(connection, settings, "")))) {
            Columns.setId(statement, 1, id);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Position(row.getInt("lane"), row.getLong("seq"), id);
            }
        } catch (SQLException failure) {
            throw failed(failure);
        }
    }

    /** How the message stands now. */
    public State find(Position position) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            if (isHot(connection, position)) {
                return new State.Waiting();
            }
            Optional<State> held = held(connection, position);
            return held.or(() -> dead(position)).orElseGet(State.Delivered::new);
        } catch (SQLException failure) {
            throw failed(failure);
        }
    }

    private boolean isHot(Connection connection, Position position) throws SQLException {
        try (PreparedStatement statement = prepare(connection, IS_HOT, "", position);
                ResultSet row = statement.executeQuery()) {
            return row.next();
        }
    }

    private Optional<State> held(Connection connection, Position position) throws SQLException {
        try (PreparedStatement statement = prepare(connection, IS_HELD, "_held", position);
                ResultSet row = statement.executeQuery()) {
            return row.next()
                    ? Optional.of(new State.Held(row.getInt("attempts"), text(row.getString("last_error"))))
                    : Optional.empty();
        }
    }

    private Optional<State> dead(Position position) {
        return store.deadLetters()
                .find(position.id())
                .map(letter -> new State.Dead(letter.reason().name(), letter.error()));
    }

    private PreparedStatement prepare(Connection connection, String sql, String suffix, Position position)
            throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(sql.formatted(SqlTable.of(connection, settings, suffix)));
        statement.setInt(1, position.lane());
        statement.setLong(2, position.seq());
        Columns.setId(statement, 3, position.id());
        return statement;
    }

    private static String text(String error) {
        return error == null ? "" : error;
    }

    private static StoreException failed(SQLException failure) {
        return new StoreException(
                "Could not look for the message: " + SafeText.of(String.valueOf(failure.getMessage())), failure);
    }
}
