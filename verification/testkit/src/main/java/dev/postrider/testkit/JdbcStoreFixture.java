package dev.postrider.testkit;

import dev.postrider.message.MessageId;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * The part of a {@link StoreFixture} that all JDBC databases share, written in plain SQL.
 *
 * <p>A subclass says how its database quotes names and binds ids, and drops the tables in {@link #close()}.
 */
public abstract class JdbcStoreFixture implements StoreFixture {

    private static final Duration POLL = Duration.ofMillis(5);

    private final OutboxStore store;
    private final DataSource dataSource;

    protected JdbcStoreFixture(OutboxStore store, DataSource dataSource) {
        this.store = store;
        this.dataSource = dataSource;
    }

    /** The quoted name of the table with this suffix, such as {@code "outbox_held"} for {@code _held}. */
    protected abstract String table(String suffix);

    protected abstract void bindId(PreparedStatement statement, int index, MessageId id) throws SQLException;

    protected abstract MessageId readId(ResultSet row, int index) throws SQLException;

    /** Whether the database computes the lane of a row, so that an insert must leave it out. */
    protected boolean computesLane() {
        return false;
    }

    /** What an insert writes as the creation time; empty where the database fills it in. */
    protected String creationTime() {
        return "";
    }

    @Override
    public final OutboxStore store() {
        return store;
    }

    @Override
    public final DataSource dataSource() {
        return dataSource;
    }

    @Override
    public Duration shortTime() {
        return Duration.ofMillis(400);
    }

    /** Watches the database's clock, which may differ from ours. */
    @Override
    public final void letPass(Duration duration) {
        Instant end = databaseTime().plus(duration);
        while (databaseTime().isBefore(end)) {
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private Instant databaseTime() {
        return store.forRelay(Ordering.PER_KEY)
                .held()
                .fetchDue(new DueRequest(Set.of(0), StoreDriver.NOTHING_KNOWN, 1, 1, 0))
                .databaseTime();
    }

    @Override
    public final void insertForeign(ForeignRow row) {
        String sql =
                "INSERT INTO %s (%sid, topic, message_key, type, headers, content_type, payload%s) VALUES (%s?, ?, ?, ?, ?, ?, ?%s)"
                        .formatted(
                                table(""),
                                computesLane() ? "" : "lane, ",
                                creationTime().isEmpty() ? "" : ", created_at",
                                computesLane() ? "" : "?, ",
                                creationTime().isEmpty() ? "" : ", " + creationTime());
        inConnection(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                int index = 0;
                if (!computesLane()) {
                    statement.setInt(++index, row.lane());
                }
                bindId(statement, ++index, row.id());
                statement.setString(++index, row.topic());
                statement.setString(++index, row.key());
                statement.setString(++index, row.type());
                statement.setString(++index, row.headers().isEmpty() ? null : row.headers());
                statement.setString(++index, row.contentType());
                statement.setBytes(++index, row.payload());
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public final boolean refusesForeignLanes() {
        return !computesLane();
    }

    @Override
    public final List<OperationRecord> operations() {
        String sql = "SELECT operator, action, details, affected FROM %s ORDER BY happened_at, id"
                .formatted(table("_operation"));
        return query(
                sql, row -> new OperationRecord(row.getString(1), row.getString(2), row.getString(3), row.getInt(4)));
    }

    @Override
    public final List<MessageId> kept() {
        return query("SELECT id, foreign_id FROM %s ORDER BY lane, seq".formatted(table("_sent")), row -> {
            String foreign = row.getString(2);
            return foreign == null ? readId(row, 1) : readId(row, 1).withText(foreign);
        });
    }

    private <T> List<T> query(String sql, Reader<T> reader) {
        return inConnection(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql);
                    ResultSet rows = statement.executeQuery()) {
                List<T> result = new ArrayList<>();
                while (rows.next()) {
                    result.add(reader.read(rows));
                }
                return result;
            }
        });
    }

    private <T> T inConnection(Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            return work.run(connection);
        } catch (SQLException error) {
            throw new IllegalStateException(error.getMessage(), error);
        }
    }

    /** Reads the current row. */
    @FunctionalInterface
    protected interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Works with a connection. */
    @FunctionalInterface
    protected interface Work<T> {
        T run(Connection connection) throws SQLException;
    }
}
