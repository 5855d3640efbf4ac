package dev.postrider.store.existing;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.store.existing.Candidates.Candidate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads messages for rows that were found: lengths first, so that nothing oversized comes into memory. */
final class RowReader {

    private final Rows rows;
    private final MessageLimits limits;

    RowReader(Rows rows, MessageLimits limits) {
        this.rows = rows;
        this.limits = limits;
    }

    /** Those from the front that fit into the limits; at least one. */
    static List<Head> fitting(List<Head> heads, int maxRows, long maxBytes) {
        List<Head> fitting = new ArrayList<>();
        long bytes = 0;
        for (Head head : heads) {
            bytes += head.bytes();
            if (fitting.size() >= maxRows || (!fitting.isEmpty() && bytes > maxBytes)) {
                break;
            }
            fitting.add(head);
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
                result.add(read(head, bodies.get(head.key())));
            }
        }
        return result;
    }

    /**
     * Locks those of these candidates that are still to be relayed and that nobody else has, and reads them, in this order. What is
     * too large is locked and not read.
     */
    List<ReadRow> lock(Connection connection, StatusTable table, List<Candidate> candidates) throws SQLException {
        Map<RowKey, ReadRow> read = new HashMap<>();
        table.lock(connection, keys(candidates, candidate -> !isTooLarge(candidate.bytes())))
                .forEach((key, row) -> read.put(key, read(row.head(), row.body())));
        table.lockHeads(connection, keys(candidates, candidate -> isTooLarge(candidate.bytes())))
                .forEach(head -> read.put(head.key(), ReadRow.unreadable(head, tooLarge(head))));
        return candidates.stream()
                .flatMap(candidate -> Optional.ofNullable(read.get(candidate.key())).stream())
                .toList();
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

    private ReadRow read(Head head, Body body) {
        try {
            OutboxMessage message = rows.message(head, body);
            limits.check(message);
            return new ReadRow(head, Optional.of(message), "");
        } catch (RuntimeException problem) {
            return ReadRow.unreadable(head, String.valueOf(problem.getMessage()));
        }
    }

    /** A row with its message, or with the reason why it is no message. */
    record ReadRow(Head head, Optional<OutboxMessage> message, String problem) {
        static ReadRow unreadable(Head head, String problem) {
            return new ReadRow(head, Optional.empty(), problem);
        }
    }
}
