package dev.postrider.store.existing;

import dev.postrider.spi.RowRef;
import java.util.Optional;

/**
 * A row in the hands of this process.
 *
 * @param seq given when it was taken; the order inside the lane
 */
record Taken(long seq, int lane, Head head) {

    RowKey key() {
        return head.key();
    }

    Optional<String> messageKey() {
        return head.messageKey();
    }

    RowRef ref() {
        return new RowRef(lane, seq, head.id());
    }
}
