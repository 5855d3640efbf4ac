package dev.postrider.testkit;

import dev.postrider.internal.HeaderJson;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.RowRef;
import dev.postrider.testkit.StoreFixture.ForeignRow;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Turns rows that another writer inserted into rows of the in-memory store, readable or not. */
final class ForeignRowReader {

    private final MessageLimits limits;

    ForeignRowReader(MessageLimits limits) {
        this.limits = limits;
    }

    StoredRow read(ForeignRow row, long seq, Instant createdAt) {
        RowRef ref = new RowRef(row.lane(), seq, row.id());
        if (row.payload().length > limits.maxPayloadBytes()) {
            return unreadable(
                    ref,
                    row,
                    createdAt,
                    "payload is %d bytes long, the limit is %d"
                            .formatted(row.payload().length, limits.maxPayloadBytes()));
        }
        try {
            OutboxMessage message = message(row);
            limits.check(message);
            return new StoredRow(ref, message, createdAt);
        } catch (InvalidMessageException | IllegalArgumentException unreadable) {
            return unreadable(ref, row, createdAt, String.valueOf(unreadable.getMessage()));
        }
    }

    private static OutboxMessage message(ForeignRow row) {
        return OutboxMessage.builder(row.topic(), row::id)
                .key(row.key())
                .type(row.type())
                .headers(row.headers().isEmpty() ? Map.of() : HeaderJson.read(row.headers()))
                .contentType(row.contentType())
                .payload(row.payload())
                .build();
    }

    private static StoredRow unreadable(RowRef ref, ForeignRow row, Instant createdAt, String problem) {
        OutboxMessage shown = OutboxMessage.builder(shown(row.topic()), row::id)
                .key(row.key())
                .type(shown(row.type()))
                .build();
        return new StoredRow(ref, shown, createdAt, Optional.of(problem));
    }

    private static String shown(String text) {
        return text.replaceAll("\\p{Cntrl}", "\uFFFD");
    }
}
