package dev.postrider.store.jdbc;

import dev.postrider.spi.Ordering;
import java.util.Optional;

/**
 * Held rows of which only the lowest may be due: those of one key, or, in {@link Ordering#GLOBAL}, of the whole lane.
 *
 * @param key empty for the whole lane
 */
record HeldGroup(int lane, Optional<String> key) {

    /** The group of a row, or none when it waits for nobody. */
    static Optional<HeldGroup> of(Ordering ordering, int lane, Optional<String> key) {
        return switch (ordering) {
            case PER_KEY -> key.map(k -> new HeldGroup(lane, Optional.of(k)));
            case GLOBAL -> Optional.of(new HeldGroup(lane, Optional.empty()));
            case NONE -> Optional.empty();
        };
    }
}
