package dev.postrider.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * Removes what an outbox no longer needs: old rows of the audit trail, old dead letters, old dedup keys, old records of operations.
 *
 * <p>Nothing here can touch a message that is undelivered, held or delayed. Ages are judged by the store's clock. Every
 * delete removes at most {@code limit} rows in one short transaction, and returns 0 only when nothing that old is left: a
 * smaller number than the limit does not mean that. Thread-safe.
 */
public interface Maintenance {

    /**
     * Takes the task for this owner, or prolongs it: one runner at a time across all instances. A runner that dies loses it
     * when the time is over.
     *
     * @param task its name, at most 64 characters
     * @return false when somebody else has it
     */
    boolean takeTask(String task, String owner, Duration timeToLive);

    /** Releases the task, if this owner still has it. */
    void releaseTask(String task, String owner);

    /** Deletes rows of the audit trail delivered longer ago than this; 0 for an outbox without one. */
    default int deleteSent(Duration olderThan, int limit) {
        return 0;
    }

    /**
     * Deletes dead letters that died longer ago than this, except those whose retry is requested. Leaves a record of it like
     * any discard; a key that was given up lives again when its last letter goes.
     */
    int deleteDeadLetters(Duration olderThan, int limit);

    /**
     * Deletes dedup keys used longer ago than this: from then on a message with such a key is enqueued again. 0 for a store that keeps
     * none.
     */
    default int deleteDedupKeys(Duration olderThan, int limit) {
        return 0;
    }

    /** Deletes records of what operators and cleanups did longer ago than this; 0 for a store that keeps none. */
    default int deleteOperations(Duration olderThan, int limit) {
        return 0;
    }

    /** The partitions of the audit trail; empty for a store that knows no range partitions. */
    default Optional<AuditPartitions> partitions() {
        return Optional.empty();
    }
}
