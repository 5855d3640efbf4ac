package dev.postrider.relay;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import java.time.Instant;

/** The time of an event that names none: when its row was inserted, the same with every attempt. */
final class EventTime {

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    private EventTime() {}

    /** Leaves an event of another system as it was written, and a time alone that no event can have. */
    static OutboxMessage completed(OutboxMessage message, Instant createdAt) {
        Headers headers = message.headers();
        boolean isPossible = !createdAt.isBefore(FIRST) && createdAt.isBefore(END);
        if (!isPossible
                || headers.get(Headers.TIME).isPresent()
                || headers.get(Headers.AS_WRITTEN).isPresent()) {
            return message;
        }
        return message.withHeaders(headers.with(Headers.TIME, createdAt.toString()));
    }
}
