package dev.postrider.spi;

import dev.postrider.spi.LaneLeases.TakenLane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Reads the hot table for a set of lanes, exactly: no committed row is missed, and rows of one lane that must keep their
 * order are returned in it.
 *
 * <p>A scan belongs to one thread. It may remember what it has returned: the caller keeps every returned row until it is
 * settled, or calls {@link #restart}. The price of a fetch does not grow with the backlog. A scan that starts at the head of its
 * lanes each time remembers nothing, and need not implement more than {@link #fetch}.
 */
public interface LaneScan {

    /** Adds a lane, from its saved position if that is still good, else from the head. */
    default void add(TakenLane lane) {}

    /** Forgets a lane. */
    default void remove(int lane) {}

    /** Reads the lane again from its head; rows that the caller still knows are not returned again. */
    default void restart(int lane) {}

    /**
     * Tells which rows the caller still has. A scan that claims rows for itself releases the others: they were dropped without
     * an outcome, because their destination is closed, for example. Called before leases are prolonged.
     */
    default void retain(KnownRows known) {}

    /** The next rows, by seq within each lane. */
    Fetched fetch(FetchRequest request);

    /**
     * The lowest seqs of the lane that are committed and at least this old, whatever this scan has seen, except those of
     * excluded topics; at most {@code limit}. The relay compares them with what it knows, to prove that the scan missed
     * nothing. A scan that starts at the head each time has nothing to prove.
     */
    default long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        return new long[0];
    }

    /**
     * What a next owner of the lane needs in order not to start from the head.
     *
     * @param lowestUnsettled the lowest seq of this lane still in memory, or {@code Long.MAX_VALUE} if there is none
     */
    default Optional<String> position(int lane, long lowestUnsettled) {
        return Optional.empty();
    }

    /**
     * What to fetch.
     *
     * @param lanes the lanes to read; others that were added are left where they are
     * @param known rows not to return
     * @param excludedTopics topics to pass over; such rows come back only after {@link #restart}
     * @param maxRows how many rows at most
     * @param maxBytes how many payload bytes at most, except that a single row is always returned
     */
    record FetchRequest(Set<Integer> lanes, KnownRows known, Set<String> excludedTopics, int maxRows, long maxBytes) {

        /** The first of these rows, as many as may be returned. */
        public <R> List<R> fitting(List<R> rows, ToLongFunction<R> payloadBytes) {
            long bytes = 0;
            for (int i = 0; i < rows.size(); i++) {
                bytes += payloadBytes.applyAsLong(rows.get(i));
                if (i == maxRows || (i > 0 && bytes > maxBytes)) {
                    return rows.subList(0, i);
                }
            }
            return rows;
        }
    }

    /**
     * What was read.
     *
     * @param rows by seq within each lane
     * @param more whether an immediate further fetch would probably return rows
     * @param newIncarnation the database was restarted or replaced since the last fetch: whatever is in memory must be
     *     dropped without being settled, the scan starts every lane from its head, and {@code rows} is empty
     * @param databaseTime when it was read
     */
    record Fetched(List<OutboxRow> rows, boolean more, boolean newIncarnation, Instant databaseTime) {}
}
