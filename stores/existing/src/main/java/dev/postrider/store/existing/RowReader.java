package dev.postrider.store.existing;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.store.existing.Candidates.Candidate;
import dev.postrider.store.existing.Rows.WholeRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Reads messages for rows that were found: lengths first, so that nothing oversized comes into memory. */
final class RowReader {

    private final Rows rows;
    private final MessageLimits limits;

    RowReader(Rows rows, MessageLimits limits) {
        this.rows = rows;
        this.limits = limits;
    }

    /** Those from the front that fit into the limits; at least one. */
    static <T> List<T> fitting(List<T> rows, ToLongFunction<T> bytesOf, int maxRows, long maxBytes) {
        List<T> fitting = new ArrayList<>();
        long bytes = 0;
        for (T row : rows) {
            bytes += bytesOf.applyAsLong(row);
            if (fitting.size() >= maxRows || (!fitting.isEmpty() && bytes > maxBytes)) {
                break;
            }
            fitting.add(row);
        }
        return fitting;
    }

    List<ReadRow> read(Connection connection, Place place, List<Head> heads) throws SQLException {
        List<Head> readable = heads.stream().filter(head -> !isTooLarge(head)).toList();
        Map<RowKey, Body> bodies =
                rows.bodies(connection, place, readable.stream().map(Head::key).toList());
        List<ReadRow> result = new ArrayList<>();
        for (Head head : heads) {
            if (isTooLarge(head)) {
                result.add(ReadRow.unreadable(head, tooLarge(head)));
            } else if (bodies.containsKey(head.key())) {
                Body body = bodies.get(head.key());
                result.add(read(new WholeRow(head, () -> rows.message(head, body))));
            }
        }
        return result;
    }

    /**
     * Locks those of these candidates that are still to be relayed and that nobody else has, and reads them, in this order. What is
     * too large is locked and not read.
     */
    List<ReadRow> lock(Connection connection, StatusTable table, List<Candidate> candidates) throws SQLException {
        return read(candidates, keys -> table.lock(connection, keys), keys -> table.lockHeads(connection, keys));
    }

    /** The same without locks, for whom all rows are its own. */
    List<ReadRow> read(Connection connection, List<Candidate> candidates) throws SQLException {
        return read(candidates, keys -> rows.whole(connection, keys), keys -> rows.heads(connection, keys));
    }

    private List<ReadRow> read(
            List<Candidate> candidates, SqlLookup<Map<RowKey, WholeRow>> whole, SqlLookup<List<Head>> heads)
            throws SQLException {
        Map<RowKey, ReadRow> read = new HashMap<>();
        List<RowKey> unread = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (!isTooLarge(candidate.bytes())) {
                candidate
                        .whole()
                        .ifPresentOrElse(
                                row -> read.put(candidate.key(), read(row)), () -> unread.add(candidate.key()));
            }
        }
        whole.of(unread).forEach((key, row) -> read.put(key, read(row)));
        List<RowKey> tooLarge = keys(candidates, candidate -> isTooLarge(candidate.bytes()));
        (tooLarge.isEmpty() ? List.<Head>of() : heads.of(tooLarge))
                .forEach(head -> read.put(head.key(), ReadRow.unreadable(head, tooLarge(head))));
        return candidates.stream()
                .flatMap(candidate -> Optional.ofNullable(read.get(candidate.key())).stream())
                .toList();
    }

    /** What a statement finds of these rows. */
    @FunctionalInterface
    private interface SqlLookup<T> {
        T of(List<RowKey> keys) throws SQLException;
    }

    private static List<RowKey> keys(List<Candidate> candidates, Predicate<Candidate> wanted) {
        return candidates.stream().filter(wanted).map(Candidate::key).toList();
    }

    private boolean isTooLarge(Head head) {
        return isTooLarge(head.bytes());
    }

    private boolean isTooLarge(long bytes) {
        return bytes > (long) limits.maxPayloadBytes() + limits.maxHeaderBytes();
    }

    private String tooLarge(Head head) {
        return "payload and headers have %d bytes, allowed are %d and %d"
                .formatted(head.bytes(), limits.maxPayloadBytes(), limits.maxHeaderBytes());
    }

    private ReadRow read(WholeRow row) {
        try {
            OutboxMessage message = row.message().get();
            limits.check(message);
            return new ReadRow(row.head(), Optional.of(message), "");
        } catch (RuntimeException problem) {
            return ReadRow.unreadable(row.head(), String.valueOf(problem.getMessage()));
        }
    }

    /** A row with its message, or with the reason why it is no message. */
    record ReadRow(Head head, Optional<OutboxMessage> message, String problem) {
        static ReadRow unreadable(Head head, String problem) {
            return new ReadRow(head, Optional.empty(), problem);
        }
    }
}
