package dev.postrider.prove.write;

import dev.postrider.prove.check.Committed;
import java.util.Optional;

/**
 * A message that a transaction enqueued.
 *
 * @param key empty for a message without key
 * @param n its number among those of its key, counted under the lock of the key's row
 */
public record LedgerEntry(String id, String topic, String key, long n) {

    /** For the comparison with what arrived. */
    public Committed toCommitted() {
        return new Committed(id, Optional.of(key).filter(text -> !text.isEmpty()), n);
    }
}
