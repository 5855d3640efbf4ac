package dev.postrider.store.jdbc;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;

/**
 * The dead letters, for operators.
 *
 * <p>Requests and discards run in batches, each a short transaction with its own record of who did it.
 */
final class JdbcDeadLetters implements DeadLetters {

    private static final int BATCH = 500;

    /** More would not fit into the memory of a small process, three times over. */
    private static final long MAX_RAW_BYTES = 256L << 20;

    private final JdbcContext context;
    private final DeadLetterReader reader;
    private final LockedLetters locked;
    private final RowWriter rows;
    private final Operations operations;

    JdbcDeadLetters(JdbcContext context) {
        this.context = context;
        this.reader = new DeadLetterReader(context);
        this.locked = new LockedLetters(context);
        this.rows = new RowWriter(context);
        this.operations = new Operations(context);
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter> after, int limit) {
        DeadLetterCondition condition = new DeadLetterCondition(filter);
        after.ifPresent(letter -> condition.after(letter.ref()));
        String sql = "SELECT %s FROM %s WHERE %s ORDER BY lane, seq, id LIMIT ?"
                .formatted(reader.columns("d"), condition.from(context, " d"), condition.sql());
        return context.longTransactions().inTransaction("list dead letters", connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                return condition.bind(statement).with(limit).list(reader::read);
            }
        });
    }

    @Override
    public long count(DeadLetterFilter filter, long atMost) {
        DeadLetterCondition condition = new DeadLetterCondition(filter);
        String sql = "SELECT COUNT(*) AS letters FROM (SELECT 1 AS one FROM %s WHERE %s LIMIT ?) t"
                .formatted(condition.from(context, ""), condition.sql());
        return context.longTransactions().inTransaction("count dead letters", connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                return condition
                        .bind(statement)
                        .with(atMost)
                        .first(row -> row.getLong("letters"))
                        .orElseThrow();
            }
        });
    }

    /** In one look at a bounded number of rows: to find that a reason does not occur, all of them would be read. */
    @Override
    public Map<DeadReason, Long> countByReason(int atMost) {
        String sql = "SELECT reason, COUNT(*) AS letters FROM (SELECT reason FROM %s LIMIT ?) t GROUP BY reason"
                .formatted(context.tables().dead());
        return context.longTransactions().inTransaction("count dead letters", connection -> {
            Map<DeadReason, Long> counts = new EnumMap<>(DeadReason.class);
            try (SqlStatement statement = context.prepare(connection, sql)) {
                statement.with(atMost).list(row -> {
                    DeadReason reason = DeadLetterReader.reason(requireNonNull(row.getString("reason")));
                    return counts.merge(reason, row.getLong("letters"), Long::sum);
                });
            }
            return counts;
        });
    }

    @Override
    public List<RowRef> refs(DeadLetterFilter filter, int limit) {
        return context.longTransactions()
                .inTransaction(
                        "list dead letters",
                        connection -> locked.look(connection, new DeadLetterCondition(filter), limit));
    }

    /** Letters that are asked for stay where they are, so each batch goes on behind the one before. */
    @Override
    public int requestRetry(DeadLetterFilter filter, int limit, String operator) {
        AtomicReference<Optional<RowRef>> last = new AtomicReference<>(Optional.empty());
        int readableAgain = requestReadableAgain(filter, limit, operator);
        int count = inBatches(limit - readableAgain, batch -> {
            List<RowRef> letters = request(filter, requireNonNull(last.get()), batch, operator);
            if (!letters.isEmpty()) {
                last.set(Optional.of(letters.get(letters.size() - 1)));
            }
            return letters.size();
        });
        return readableAgain + count;
    }

    @Override
    public int requestRetry(DeadLetterFilter filter, List<RowRef> letters, String operator) {
        return inChunks(letters, "request retries", (connection, chunk) -> {
            List<RowRef> wanted = new ArrayList<>(
                    locked.select(connection, readableUnrequested(filter).among(chunk), BATCH));
            wanted.addAll(readable(
                    connection,
                    locked.select(connection, unreadableUnrequested(filter).among(chunk), BATCH),
                    BATCH));
            mark(connection, wanted);
            record(connection, "retry", filter, wanted.size(), operator);
            return wanted.size();
        });
    }

    /** Limits may have been raised since they were given up. They are read one at a time: each may be as large as the limit. */
    private int requestReadableAgain(DeadLetterFilter filter, int limit, String operator) {
        int total = 0;
        Optional<RowRef> last = Optional.empty();
        boolean isMore = true;
        while (isMore && total < limit) {
            DeadLetterCondition unreadable = unreadableUnrequested(filter);
            last.ifPresent(unreadable::after);
            int most = limit - total;
            List<RowRef> seen = context.longTransactions()
                    .inTransaction("look for letters that can be read", connection -> {
                        return locked.select(connection, unreadable, BATCH);
                    });
            total += context.longTransactions().inTransaction("request retries", connection -> {
                List<RowRef> readable = readable(connection, seen, most);
                mark(connection, readable);
                record(connection, "retry", filter, readable.size(), operator);
                return readable.size();
            });
            isMore = seen.size() == BATCH;
            last = seen.isEmpty() ? last : Optional.of(seen.get(seen.size() - 1));
        }
        return total;
    }

    private List<RowRef> readable(Connection connection, List<RowRef> letters, int limit) throws SQLException {
        List<RowRef> readable = new ArrayList<>();
        for (RowRef letter : letters) {
            if (readable.size() < limit
                    && one(connection, reader.columns("d"), " d", letter, reader::isReadable)
                            .orElse(false)) {
                readable.add(letter);
            }
        }
        return readable;
    }

    private <T> Optional<T> one(Connection connection, String columns, String alias, RowRef letter, RowMapper<T> mapper)
            throws SQLException {
        String sql = "SELECT %s FROM %s%s WHERE lane = ? AND seq = ? AND id = ?"
                .formatted(columns, context.tables().dead(), alias);
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement.with(letter).first(mapper);
        }
    }

    @Override
    public Optional<RawContent> raw(RowRef letter) {
        Dialect dialect = context.dialect();
        return context.longTransactions().inTransaction("read a dead letter", connection -> {
            String bytes = dialect.octetLength("payload") + " AS payload_bytes";
            long size = one(connection, bytes, "", letter, row -> row.getLong("payload_bytes"))
                    .orElse(0L);
            if (size > MAX_RAW_BYTES) {
                throw new StoreException(
                        "The payload of dead letter %s has %d bytes, more than the %d that can be exported; copy it from table %s with SQL"
                                .formatted(
                                        letter.id(),
                                        size,
                                        MAX_RAW_BYTES,
                                        context.tables().dead()));
            }
            return one(
                    connection, "payload, " + dialect.textAsBytes("headers") + " AS headers", "", letter, reader::raw);
        });
    }

    private List<RowRef> request(DeadLetterFilter filter, Optional<RowRef> after, int limit, String operator) {
        DeadLetterCondition condition = readableUnrequested(filter);
        after.ifPresent(condition::after);
        return context.longTransactions().inTransaction("request retries", connection -> {
            List<RowRef> letters = locked.select(connection, condition, limit);
            mark(connection, letters);
            record(connection, "retry", filter, letters.size(), operator);
            return letters;
        });
    }

    private static DeadLetterCondition readableUnrequested(DeadLetterFilter filter) {
        return unrequested(filter).and("reason <> ?", statement -> statement.with(DeadReason.UNREADABLE.name()));
    }

    private static DeadLetterCondition unreadableUnrequested(DeadLetterFilter filter) {
        return unrequested(filter).and("reason = ?", statement -> statement.with(DeadReason.UNREADABLE.name()));
    }

    private static DeadLetterCondition unrequested(DeadLetterFilter filter) {
        return new DeadLetterCondition(filter).and("retry_requested = ?", statement -> statement.with(false));
    }

    private void mark(Connection connection, List<RowRef> refs) throws SQLException {
        for (List<RowRef> chunk : SqlList.chunks(refs, context.dialect().maxRowsPerStatement())) {
            RowPredicate predicate = context.dialect().rows(chunk);
            String sql = "UPDATE %s%s SET retry_requested = TRUE WHERE %s"
                    .formatted(context.tables().dead(), context.dialect().rowsHint(), predicate.sql());
            try (SqlStatement statement = context.prepare(connection, sql)) {
                statement.with(predicate).update();
            }
        }
    }

    @Override
    public int discard(DeadLetterFilter filter, int limit, String operator) {
        return inBatches(
                limit,
                batch -> context.longTransactions()
                        .inTransaction(
                                "discard dead letters",
                                connection ->
                                        discard(connection, new DeadLetterCondition(filter), batch, filter, operator)));
    }

    @Override
    public int discard(DeadLetterFilter filter, List<RowRef> letters, String operator) {
        return inChunks(
                letters,
                "discard dead letters",
                (connection, chunk) ->
                        discard(connection, new DeadLetterCondition(filter).among(chunk), BATCH, filter, operator));
    }

    private int discard(
            Connection connection, DeadLetterCondition condition, int limit, DeadLetterFilter filter, String operator)
            throws SQLException {
        List<RowRef> letters = locked.select(connection, condition, limit);
        rows.delete(connection, context.tables().dead(), letters);
        record(connection, "discard", filter, letters.size(), operator);
        return letters.size();
    }

    private int inChunks(List<RowRef> letters, String purpose, ChunkWork work) {
        int total = 0;
        for (List<RowRef> chunk :
                SqlList.chunks(letters, Math.min(BATCH, context.dialect().maxRowsPerStatement()))) {
            total += context.longTransactions()
                    .inTransaction(
                            purpose,
                            connection -> work.run(connection, context.dialect().rows(chunk)));
        }
        return total;
    }

    /** What is done to the letters of one transaction. */
    @FunctionalInterface
    private interface ChunkWork {
        int run(Connection connection, RowPredicate letters) throws SQLException;
    }

    private void record(Connection connection, String action, DeadLetterFilter filter, int affected, String operator)
            throws SQLException {
        if (affected > 0) {
            operations.record(connection, action, filter.describe(), affected, operator);
        }
    }

    private static int inBatches(int limit, IntUnaryOperator batch) {
        int total = 0;
        while (total < limit) {
            int size = Math.min(BATCH, limit - total);
            int done = batch.applyAsInt(size);
            total += done;
            if (done < size) {
                break;
            }
        }
        return total;
    }
}
