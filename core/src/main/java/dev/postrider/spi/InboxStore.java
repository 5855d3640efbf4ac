package dev.postrider.spi;

import dev.postrider.message.MessageId;
import java.sql.Connection;
import java.time.Duration;

/**
 * Remembers which consumer has handled which message: the port between the inbox and a database. Thread-safe.
 */
public interface InboxStore {

    /** What to call this inbox in logs: its table prefix, with the schema where one is set. */
    String name();

    /**
     * Records through the caller's connection that this consumer handles this message. Waits for a transaction that has recorded the
     * same and is still open.
     *
     * @return whether it is new; if not, a committed transaction has recorded it before
     * @throws StoreException if the database cannot say; the caller's transaction must then be rolled back
     */
    boolean record(Connection connection, String consumer, MessageId message);

    /** Forgets at most {@code limit} messages that were handled at least this long ago by the database's clock. Returns how many. */
    int forget(Duration olderThan, int limit);
}
