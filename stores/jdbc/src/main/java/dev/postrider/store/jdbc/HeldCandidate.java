package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldLine;
import dev.postrider.spi.RowRef;
import java.util.Optional;

/** A held row before its payload is read. */
record HeldCandidate(RowRef ref, Optional<String> key, Optional<String> destination, boolean blocked, long bytes) {

    /** Where it waits, if it has a key. */
    Optional<HeldLine> line() {
        return key.flatMap(k -> destination.map(d -> new HeldLine(ref.lane(), k, d)));
    }
}
