package dev.postrider.service.database;

import dev.postrider.internal.SafeText;
import dev.postrider.message.MessageId;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.FailureLog;
import dev.postrider.store.jdbc.FailureLog.Failure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Pages through the messages of an outbox, for operators.
 *
 * <p>Costs the same on any backlog: pages follow an index, and a filter that has no index of its own looks at a bounded number of messages and
 * then says where to go on. Changes nothing and locks nothing. Thread-safe.
 */
public final class MessageBrowser {

    /** How many messages a filter without an index looks at. */
    public static final int LOOKED_AT = 1_000;

    private static final int PATIENCE_SECONDS = 10;
    private static final List<String> COMMON =
            List.of("lane", "id", "foreign_id", "topic", "message_key", "type", "content_type", "created_at");

    private final DataSource dataSource;
    private final DatabaseKind kind;
    private final StoreSettings settings;
    private final OutboxStore store;

    MessageBrowser(DataSource dataSource, DatabaseKind kind, StoreSettings settings, OutboxStore store) {
        this.dataSource = dataSource;
        this.kind = kind;
        this.settings = settings;
        this.store = store;
    }

    /**
     * A page of messages.
     *
     * @param next where the next page begins; empty at the end of the list
     * @param isPartial whether the filter has looked at {@link #LOOKED_AT} messages and stopped there
     */
    public record Page(List<StoredMessage> messages, Optional<String> next, boolean isPartial) {}

    /**
     * What is stored of a message beside what a list shows.
     *
     * @param failures failed attempts, the oldest first; only the latest are kept
     */
    public record Content(Optional<String> headers, Optional<byte[]> payload, List<Failure> failures) {}

    /** Messages of one table. */
    public Page list(MessageQuery query) {
        return read(connection -> page(connection, new MessageSearch(query, kind, store.laneCount())));
    }

    /** Where a message is. Ids have no index in every table: a bounded number of messages of those is looked at. */
    public Optional<StoredMessage> find(MessageId id) {
        return Stream.of(Place.DEAD, Place.DELAYED, Place.HELD, Place.HOT, Place.SENT)
                .filter(place -> place != Place.SENT || keepsDelivered())
                .flatMap(place -> list(MessageQuery.ofId(place, id)).messages().stream())
                .findFirst();
    }

    /** The message at this place of the table, if it is still there. */
    public Optional<StoredMessage> find(Place place, int lane, long seq, MessageId id) {
        String sql = "SELECT %s FROM %%s WHERE lane = ? AND seq = ? AND id = ?".formatted(columns(place));
        return read(connection ->
                select(connection, place, sql, List.of(lane, seq, Columns.bound(connection, id))).stream()
                        .findFirst());
    }

    /** Headers and payload, unless the payload is larger than that. */
    public Content content(StoredMessage message, int maxBytes) {
        // The size of a column in PostgreSQL is that of its compressed form; as text bytes are twice as long, and JSON
        // is itself.
        String size = kind == DatabaseKind.POSTGRES
                ? "CASE WHEN pg_column_size(payload) > %1$d THEN %1$d + 1 ELSE OCTET_LENGTH(CAST(payload AS text)) / 2 - 1 END"
                        .formatted(maxBytes)
                : "OCTET_LENGTH(payload)";
        boolean hasFailures = message.place() == Place.HELD || message.place() == Place.DEAD;
        String sql =
                "SELECT CASE WHEN OCTET_LENGTH(headers) <= %1$d THEN headers END AS headers, CASE WHEN %2$s <= %1$d THEN payload END AS payload%3$s FROM %%s WHERE lane = ? AND id = ?%4$s"
                        .formatted(
                                maxBytes,
                                size,
                                hasFailures ? ", failures" : "",
                                message.place() == Place.DELAYED ? "" : " AND seq = ?");
        return read(connection -> {
            List<Object> values = new ArrayList<>(List.of(message.lane(), Columns.bound(connection, message.id())));
            if (message.place() != Place.DELAYED) {
                values.add(message.seq());
            }
            try (PreparedStatement statement = prepare(connection, message.place(), sql, values);
                    ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new Content(
                                Optional.ofNullable(row.getString("headers")),
                                Optional.ofNullable(row.getBytes("payload")),
                                failures(hasFailures ? row.getString("failures") : null))
                        : new Content(Optional.empty(), Optional.empty(), List.of());
            }
        });
    }

    private static List<Failure> failures(@Nullable String stored) {
        return stored == null ? List.of() : FailureLog.read(stored);
    }

    /** Whether delivered messages can be shown. */
    public boolean keepsDelivered() {
        return store.keepsDelivered();
    }

    /** What the clock of the database says. */
    public Instant now() {
        return read(connection -> {
            String now = kind.speaksMysql() ? "UTC_TIMESTAMP(6)" : "CURRENT_TIMESTAMP";
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + now + " AS now_at");
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return Columns.instant(row, "now_at").orElseThrow();
            }
        });
    }

    private Page page(Connection connection, MessageSearch search) throws SQLException {
        MessageQuery query = search.query();
        List<StoredMessage> found =
                select(connection, query.place(), search.sql(columns(query.place())), search.values(connection));
        if (found.size() > query.limit()) {
            List<StoredMessage> page = found.subList(0, query.limit());
            return new Page(page, Optional.of(search.positionOf(page.get(page.size() - 1))), false);
        }
        Optional<String> goOn = search.isWindowed() ? lastLookedAt(connection, search) : Optional.empty();
        return new Page(found, goOn, goOn.isPresent());
    }

    /** Empty if the filter has seen the whole list. */
    private Optional<String> lastLookedAt(Connection connection, MessageSearch search) throws SQLException {
        Place place = search.query().place();
        String sql = search.window(columns(place)) + " OFFSET " + (LOOKED_AT - 1);
        return select(connection, place, sql, search.windowValues(connection)).stream()
                .findFirst()
                .map(search::positionOf);
    }

    private List<StoredMessage> select(Connection connection, Place place, String sql, List<Object> values)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, place, sql, values);
                ResultSet rows = statement.executeQuery()) {
            List<StoredMessage> found = new ArrayList<>();
            while (rows.next()) {
                found.add(message(place, rows));
            }
            return found;
        }
    }

    private PreparedStatement prepare(Connection connection, Place place, String sql, List<Object> values)
            throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(sql.formatted(SqlTable.of(connection, settings, place.suffix())));
        statement.setQueryTimeout(PATIENCE_SECONDS);
        for (int i = 0; i < values.size(); i++) {
            statement.setObject(i + 1, values.get(i));
        }
        return statement;
    }

    private static String columns(Place place) {
        return Stream.of(COMMON, place.numbers(), place.texts(), place.times(), place.flags())
                .flatMap(List::stream)
                .collect(Collectors.joining(", "));
    }

    private static StoredMessage message(Place place, ResultSet row) throws SQLException {
        return new StoredMessage(
                place,
                Columns.id(row),
                row.getInt("lane"),
                place == Place.DELAYED ? 0 : row.getLong("seq"),
                row.getString("topic"),
                Optional.ofNullable(row.getString("message_key")),
                row.getString("type"),
                row.getString("content_type"),
                Columns.instant(row, "created_at").orElseThrow(),
                state(place, row));
    }

    private static Map<String, Object> state(Place place, ResultSet row) throws SQLException {
        Map<String, Object> state = new LinkedHashMap<>();
        for (String column : place.numbers()) {
            if (!column.equals("seq")) {
                state.put(column, row.getLong(column));
            }
        }
        for (String column : place.texts()) {
            Optional.ofNullable(row.getString(column)).ifPresent(text -> state.put(column, text));
        }
        for (String column : place.times()) {
            Columns.instant(row, column).ifPresent(time -> state.put(column, time));
        }
        for (String column : place.flags()) {
            state.put(column, row.getBoolean(column));
        }
        return state;
    }

    private <T> T read(Reading<T> reading) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            return reading.read(connection);
        } catch (SQLException failure) {
            throw new StoreException(
                    "Could not read messages: " + SafeText.of(String.valueOf(failure.getMessage())), failure);
        }
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read(Connection connection) throws SQLException;
    }
}
