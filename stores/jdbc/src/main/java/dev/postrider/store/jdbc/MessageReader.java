package dev.postrider.store.jdbc;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.Internal;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.RowRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages from rows that anybody may have written.
 *
 * <p>A statement selects {@link #columns} before any others, which never bring a payload or headers beyond the limits into
 * memory, and hands each row to {@link #read}. A scan that must know the bytes first selects {@link #payloadBytes} before.
 * Stateless and thread-safe.
 */
@Internal
public final class MessageReader {

    /** A control character of one byte becomes six in JSON; the rest is for quotes and commas. */
    private static final int JSON_GROWTH = 8;

    private static final int KIB = 1024;
    private static final MessageLimits LARGEST = new MessageLimits(64 * KIB * KIB, KIB * KIB);

    // Where columns() has them. By number: looking up twelve names for every row took a tenth of a drain's time.
    private static final int LANE = 1;
    private static final int SEQ = 2;
    private static final int ID = 3;
    private static final int TOPIC = 4;
    private static final int KEY = 5;
    private static final int TYPE = 6;
    private static final int CONTENT_TYPE = 7;
    private static final int CREATED_AT = 8;
    private static final int PAYLOAD_BYTES = 9;
    private static final int PAYLOAD = 10;
    private static final int HEADERS_BYTES = 11;
    private static final int HEADERS = 12;
    private static final int FOREIGN_ID = 13;

    private final Dialect dialect;
    private final MessageLimits limits;
    private final UnaryOperator<String> text;

    /** Reads any text, also one that makes the server fail a statement because it is not Unicode. */
    public MessageReader(Dialect dialect, MessageLimits limits) {
        this(dialect, limits, dialect::possibleText);
    }

    private MessageReader(Dialect dialect, MessageLimits limits, UnaryOperator<String> text) {
        this.dialect = dialect;
        this.limits = limits;
        this.text = text;
    }

    /** For rows that were accepted once: limits lowered since then do not make them unreadable. */
    public static MessageReader ofAcceptedRows(Dialect dialect) {
        return new MessageReader(dialect, LARGEST);
    }

    /** The same, faster; a statement fails on a text that is not Unicode. */
    public MessageReader ofUnicode() {
        return new MessageReader(dialect, limits, column -> column);
    }

    /** The columns of a message, of the table with this alias. A query that reads messages selects them first. */
    public String columns(String alias) {
        String payload = alias + ".payload";
        String headers = alias + ".headers";
        return """
                %1$s.lane, %1$s.seq, %1$s.id, %9$s AS topic, %10$s AS message_key, %11$s AS type, %12$s AS content_type,
                %8$s AS created_at,
                %2$s AS payload_bytes, CASE WHEN %2$s <= %3$d THEN %4$s END AS payload,
                %5$s AS headers_bytes, CASE WHEN %5$s <= %6$d THEN %7$s END AS headers,
                %13$s AS foreign_id""".formatted(
                        alias,
                        dialect.octetLength(payload),
                        limits.maxPayloadBytes(),
                        payload,
                        dialect.octetLength(headers),
                        maxJsonBytes(),
                        text.apply(headers),
                        dialect.possibleTime(alias + ".created_at"),
                        text.apply(alias + ".topic"),
                        text.apply(alias + ".message_key"),
                        text.apply(alias + ".type"),
                        text.apply(alias + ".content_type"),
                        text.apply(alias + ".foreign_id"));
    }

    /** An expression for the bytes that reading the payload would take: 0 when it is over the limit. */
    public String payloadBytes(String alias) {
        String length = dialect.octetLength(alias + ".payload");
        return "CASE WHEN %1$s <= %2$d THEN %1$s ELSE 0 END".formatted(length, limits.maxPayloadBytes());
    }

    /** Of any row that has lane, seq and id; without the text of a foreign id, which finds no row. */
    public RowRef ref(ResultSet row) throws SQLException {
        return new RowRef(row.getInt("lane"), row.getLong("seq"), dialect.getId(row, row.findColumn("id")));
    }

    /** Of any row that has a message_key; empty also if that is not a text. */
    public Optional<String> key(ResultSet row) throws SQLException {
        return key(row, row.findColumn("message_key"));
    }

    private static Optional<String> key(ResultSet row, int column) throws SQLException {
        try {
            return Optional.ofNullable(row.getString(column));
        } catch (SQLException failure) {
            requireConversion(failure);
            return Optional.empty();
        }
    }

    /**
     * The message of the row, or why there is none. A value that the driver cannot convert, such as a text that is not UTF-8,
     * makes this row unreadable and no other.
     */
    public RowContent read(ResultSet row) throws SQLException {
        RowRef ref = new RowRef(row.getInt(LANE), row.getLong(SEQ), possibleId(row));
        Instant createdAt = createdAt(row);
        try {
            Optional<String> tooLong = tooLong(row);
            if (tooLong.isPresent()) {
                return unreadable(ref, row, createdAt, tooLong.get());
            }
            OutboxMessage message = message(id(row), row);
            limits.check(message);
            return new RowContent.Readable(ref, message, createdAt);
        } catch (IllegalArgumentException | InvalidMessageException unreadable) {
            return unreadable(ref, row, createdAt, String.valueOf(unreadable.getMessage()));
        } catch (SQLException failure) {
            requireConversion(failure);
            return unreadable(ref, row, createdAt, "A column cannot be read: " + failure.getMessage());
        }
    }

    private MessageId id(ResultSet row) throws SQLException {
        MessageId id = dialect.getId(row, ID);
        String foreign = row.getString(FOREIGN_ID);
        return foreign == null ? id : id.withText(foreign);
    }

    /** The same; if its text cannot be read, without it. The row can be found by that, though not sent. */
    private MessageId possibleId(ResultSet row) throws SQLException {
        try {
            return id(row);
        } catch (InvalidMessageException noId) {
            return dialect.getId(row, ID);
        } catch (SQLException failure) {
            requireConversion(failure);
            return dialect.getId(row, ID);
        }
    }

    private static RowContent unreadable(RowRef ref, ResultSet row, Instant createdAt, String reason)
            throws SQLException {
        return new RowContent.Unreadable(ref, key(row, KEY), createdAt, reason);
    }

    /** What is no time counts as very old: the message is good without it. */
    private Instant createdAt(ResultSet row) throws SQLException {
        try {
            return dialect.getInstant(row, CREATED_AT);
        } catch (SQLException failure) {
            requireConversion(failure);
            return Instant.EPOCH;
        } catch (DateTimeException noTime) {
            return Instant.EPOCH;
        }
    }

    /** Rows are read whole before they are looked at, so a failing getter means its value, unless the connection is gone. */
    private static void requireConversion(SQLException failure) throws SQLException {
        if (failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLTransientException
                || failure instanceof SQLRecoverableException
                || String.valueOf(failure.getSQLState()).startsWith("08")) {
            throw failure;
        }
    }

    private Optional<String> tooLong(ResultSet row) throws SQLException {
        long payload = row.getLong(PAYLOAD_BYTES);
        if (payload > limits.maxPayloadBytes()) {
            return Optional.of(
                    "payload is %d bytes long, the limit is %d".formatted(payload, limits.maxPayloadBytes()));
        }
        long headers = row.getLong(HEADERS_BYTES);
        return headers > maxJsonBytes()
                ? Optional.of("headers are %d bytes long as JSON, the limit is %d".formatted(headers, maxJsonBytes()))
                : Optional.empty();
    }

    private OutboxMessage message(MessageId id, ResultSet row) throws SQLException {
        OutboxMessage.Builder builder = OutboxMessage.builder(row.getString(TOPIC), () -> id)
                .type(row.getString(TYPE))
                .contentType(row.getString(CONTENT_TYPE))
                .headers(headers(row))
                .payload(payload(row));
        String key = row.getString(KEY);
        return (key == null ? builder : builder.key(key)).build();
    }

    private static Headers headers(ResultSet row) throws SQLException {
        String json = row.getString(HEADERS);
        return json == null ? Headers.none() : Headers.of(HeaderJson.read(json));
    }

    private byte[] payload(ResultSet row) throws SQLException {
        byte @Nullable [] payload = dialect.getPayload(row, PAYLOAD);
        return payload == null ? new byte[0] : payload;
    }

    private long maxJsonBytes() {
        return (long) limits.maxHeaderBytes() * JSON_GROWTH;
    }
}
