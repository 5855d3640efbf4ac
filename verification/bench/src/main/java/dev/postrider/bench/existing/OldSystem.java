package dev.postrider.bench.existing;

import dev.postrider.store.existing.Preset;
import java.util.List;

/**
 * The statements by which a system drains its table, as it sends them. {@code %s} is the table; a statement with {@code (?)} is for a
 * whole batch, any other mark for one row.
 *
 * @param workers how its workers share rows
 * @param before what it does before each batch
 * @param claim reads a batch, with the row's id first and its entity second; its parameter is the size of the batch
 * @param sending marks a row before it is sent
 * @param sent marks rows after they were sent
 */
record OldSystem(Workers workers, List<String> before, String claim, List<String> sending, String sent) {

    /** How workers share rows. */
    enum Workers {
        /** Each claims rows, sends and marks them in one transaction. */
        IN_TRANSACTIONS,
        /** Each reads rows by itself; the locks of a read end with it, so several may send the same. */
        BY_THEMSELVES,
        /** One reads a batch, and lets the others send and mark its entities side by side. */
        BY_ENTITY,
        /** One at a time is active, by a lock of its own. */
        LEADER
    }

    boolean hasLeader() {
        return workers == Workers.LEADER;
    }

    boolean marksBatches() {
        return sent.contains("(?)");
    }

    /**
     * How many messages it gets where others get this many. One that commits for each row takes so long that the others would have too few
     * to be measured; a short backlog costs it less than a long one.
     */
    int shareOf(int messages) {
        return marksBatches() ? messages : Math.max(1, messages / 10);
    }

    static OldSystem of(Preset preset) {
        return switch (preset) {
            case RECORDS, RECORDS_BINARY, RECORDS_PARTITIONED, RECORDS_BINARY_PARTITIONED -> RECORDS;
            case OUTBOX_EVENTS -> OUTBOX_EVENTS;
            case EVENT_OUTBOX -> EVENT_OUTBOX;
            case ENUM_STATUS -> ENUM_STATUS;
            case PENDING_WAIT -> PENDING_WAIT;
            case PENDING -> PENDING;
            case RELAY_LOCK -> throw new IllegalArgumentException("relay-lock has no messages");
        };
    }

    private static final OldSystem RECORDS = new OldSystem(
            Workers.IN_TRANSACTIONS,
            List.of("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "START TRANSACTION"),
            """
            SELECT id, aggregate_id, aggregate_type, event_type, payload, headers, created_at, attempt_count FROM %s
            WHERE status = 0 ORDER BY id ASC LIMIT ? FOR UPDATE SKIP LOCKED""",
            List.of(),
            "UPDATE %s SET status = 1, processed_at = NOW(6), last_error = NULL WHERE id IN (?)");

    private static final OldSystem OUTBOX_EVENTS = new OldSystem(
            Workers.BY_ENTITY,
            List.of(),
            "SELECT id, entity_id, message, created_at FROM %s ORDER BY created_at ASC LIMIT ?",
            List.of(),
            "DELETE FROM %s WHERE id = ?");

    private static final OldSystem EVENT_OUTBOX = new OldSystem(
            Workers.BY_THEMSELVES, List.of(), """
            SELECT id, aggregate_id, event_id, event_type, payload, metadata, created_at, retry_count FROM %s
            WHERE published_at IS NULL AND retry_count < 5
            AND (last_retry_at IS NULL OR last_retry_at < NOW() - make_interval(secs => 1))
            ORDER BY created_at ASC LIMIT ? FOR UPDATE SKIP LOCKED""", List.of(), "UPDATE %s SET published_at = NOW() WHERE id = ?");

    private static final OldSystem ENUM_STATUS = new OldSystem(
            Workers.BY_THEMSELVES,
            List.of(),
            """
            SELECT id, aggregate_id, event_id, aggregate_type, event_type, payload, attempts FROM %s
            WHERE status = 'pending' OR (status = 'failed' AND next_attempt_at <= NOW())
            ORDER BY created_at ASC LIMIT ? FOR UPDATE SKIP LOCKED""",
            List.of("UPDATE %s SET status = 'sending' WHERE id = ?"),
            "UPDATE %s SET status = 'sent' WHERE id = ?");

    private static final String LOCK = """
            INSERT INTO %s_relay_lock (name, holder_id, expire_time)
            VALUES ('old', UNHEX('00112233445566778899aabbccddeeff'), DATE_ADD(NOW(6), INTERVAL 30 SECOND))
            ON DUPLICATE KEY UPDATE
            holder_id = CASE WHEN expire_time < NOW(6) THEN VALUES(holder_id) ELSE holder_id END,
            expire_time = CASE WHEN holder_id = VALUES(holder_id) THEN VALUES(expire_time) ELSE expire_time END""";
    private static final String HOLDER = "SELECT holder_id FROM %s_relay_lock WHERE name = 'old'";

    /** It knows neither retries nor a parking lot, and marks a batch as a whole. */
    private static final OldSystem PENDING = new OldSystem(
            Workers.LEADER,
            List.of(LOCK, HOLDER),
            "SELECT id, metadata, data, create_time FROM %s ORDER BY id LIMIT ?",
            List.of(),
            "DELETE FROM %s WHERE id IN (?)");

    /** It looks for due retries first, and marks each row when it is sent. */
    private static final OldSystem PENDING_WAIT = new OldSystem(
            Workers.LEADER,
            List.of(LOCK, HOLDER, "START TRANSACTION", """
                    INSERT INTO %s (id, metadata, data, create_time, retry_count)
                    SELECT id, metadata, data, create_time, retry_count FROM %<s_wait WHERE retry_time <= NOW()""", "DELETE FROM %s_wait WHERE retry_time <= NOW()", "COMMIT"),
            "SELECT id, metadata, data, create_time, retry_count FROM %s ORDER BY id LIMIT ?",
            List.of(),
            "DELETE FROM %s WHERE id = ?");
}
