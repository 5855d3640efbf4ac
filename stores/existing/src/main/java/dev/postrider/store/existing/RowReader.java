package dev.postrider.store.existing;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    private boolean isTooLarge(Head head) {
        return head.bytes() > (long) limits.maxPayloadBytes() + limits.maxHeaderBytes();
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
