package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldLine;
import dev.postrider.spi.Ordering;
import java.util.Optional;

/**
 * A group of held rows in which only the lowest may be due: those of one line, or, in {@link Ordering#GLOBAL}, of the whole lane.
 *
 * @param line empty for the whole lane
 */
record HeldGroup(int lane, Optional<HeldLine> line) {

    static HeldGroup of(HeldLine line) {
        return new HeldGroup(line.lane(), Optional.of(line));
    }

    /** The group of a row; empty when it waits for nobody, or nobody knows yet for what destination it is. */
    static Optional<HeldGroup> of(Ordering ordering, int lane, Optional<String> key, Optional<String> destination) {
        return switch (ordering) {
            case PER_KEY -> key.flatMap(k -> destination.map(d -> of(new HeldLine(lane, k, d))));
            case GLOBAL -> Optional.of(new HeldGroup(lane, Optional.empty()));
            case NONE -> Optional.empty();
        };
    }
}
