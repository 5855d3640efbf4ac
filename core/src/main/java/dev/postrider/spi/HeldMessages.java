package dev.postrider.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The held table, as the owner of lanes uses it. Thread-safe; each method is one short transaction.
 *
 * <p>Order is kept per line: held rows of one key for one destination. A row whose destination is not known belongs to no line
 * yet; the owner of the lane asks for such rows and assigns them before it reads anything of the lane.
 */
public interface HeldMessages {

    /**
     * Makes the held rows of a lane just taken consistent: per line exactly the lowest one has a due time (with
     * {@link Ordering#NONE}: every one). Rows for any other destination lose it, to be assigned again. Fenced.
     */
    void repair(Lease lease, Set<String> destinations);

    /**
     * Held rows of a lane whose destination is not known: held by an older version, put back by an operator, or for a
     * destination that is gone. Cheap when there are none.
     *
     * @param maxBytes how many payload bytes at most, except that a single row is always returned
     */
    List<OutboxRow.Held> unassigned(int lane, int maxRows, long maxBytes);

    /** Says for which destination rows are held, and restores the order of the lines that they join. Fenced. */
    void assign(Lease lease, Map<RowRef, String> destinations);

    /** Those of the lines that have any held row. */
    Set<HeldLine> occupied(Set<HeldLine> lines);

    /**
     * Held rows that are due, each followed by the next rows of its line, in order of seq within a line. The followers end
     * before the first that is blocked. Rows whose destination is not known are left out.
     */
    DueRows fetchDue(DueRequest request);

    /**
     * Puts dead letters whose retry an operator has requested back into held, the lowest seqs first, ahead of the rest of their
     * key, and yet to be assigned. Fenced.
     *
     * @param limit how many at most
     * @return how many rows were put back
     */
    int adoptRetries(Lease lease, int limit);

    /**
     * The lanes among these that may have dead letters whose retry was requested: all, unless the store can tell by one cheap look. The others
     * are not asked to {@link #adoptRetries}.
     */
    default Set<Integer> lanesWithRetries(Set<Integer> lanes) {
        return lanes;
    }

    /**
     * A place of a destination.
     *
     * @param topic of the messages that go there
     * @param error of the messages that wait for it; empty if all messages of the topic go there
     */
    record Place(String destination, String topic, Optional<String> error) {}

    /**
     * What to look for.
     *
     * @param known rows not to return
     * @param excludedDestinations destinations whose rows to pass over
     * @param excludedPlaces places whose messages may not come first in their lines; those that follow may be of any
     * @param excludedUntilAge messages of this age are not excluded by their place any more; empty: all are
     * @param maxRows how many rows at most
     * @param maxBytes how many payload bytes at most, except that a single row is always returned
     * @param followers how many rows of the same line may follow a due one; 0 with {@link Ordering#NONE}
     */
    record DueRequest(
            Set<Integer> lanes,
            KnownRows known,
            Set<String> excludedDestinations,
            Set<Place> excludedPlaces,
            Optional<Duration> excludedUntilAge,
            int maxRows,
            long maxBytes,
            int followers) {

        /** A request that passes over no destination and no place. */
        public DueRequest(Set<Integer> lanes, KnownRows known, int maxRows, long maxBytes, int followers) {
            this(lanes, known, Set.of(), Set.of(), Optional.empty(), maxRows, maxBytes, followers);
        }

        /** Whether a held message that leads there may come first. */
        public boolean isWanted(String destination, String topic, String error, Duration age) {
            return !excludedDestinations.contains(destination)
                    && (isPastExclusion(age)
                            || !(excludedPlaces.contains(new Place(destination, topic, Optional.empty()))
                                    || excludedPlaces.contains(new Place(destination, topic, Optional.of(error)))));
        }

        private boolean isPastExclusion(Duration age) {
            return excludedUntilAge.filter(limit -> age.compareTo(limit) >= 0).isPresent();
        }
    }

    /**
     * What is due.
     *
     * @param nextDueIn how long until the next row of these lanes falls due, zero if more are due now; empty when there is
     *     none (blocked rows never fall due)
     * @param lanesWithHeld the lanes among those asked for that have any held row
     */
    record DueRows(
            List<OutboxRow.Held> rows,
            Optional<Duration> nextDueIn,
            Set<Integer> lanesWithHeld,
            Instant databaseTime) {}
}
