package dev.postrider.store.jdbc;

import dev.postrider.spi.RowRef;
import java.util.Optional;

/** A held row before its payload is read. */
record HeldCandidate(RowRef ref, Optional<String> key, String topic, boolean blocked, long bytes) {

    /** Its key in its lane, if it has one. */
    Optional<HeldGroup> group() {
        return key.map(k -> new HeldGroup(ref.lane(), Optional.of(k)));
    }
}
