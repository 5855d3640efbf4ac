package dev.postrider.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Ownership of lanes, judged by the store's clock alone.
 *
 * <p>Every method is one short transaction and leaves no session state behind. Thread-safe.
 */
public interface LaneLeases {

    /**
     * Says that this relay lives, and forgets members silent for longer than {@code timeToLive}.
     *
     * @return the number of living members, this one included
     */
    int heartbeat(String owner, Duration timeToLive);

    /**
     * The same, with what the relay says of itself, for operators. Kept with the member where the store has a place for it, else ignored.
     *
     * @param report a JSON object: the state of its {@code destinations} and of its {@code workers}
     */
    default int heartbeat(String owner, Duration timeToLive, String report) {
        return heartbeat(owner, timeToLive);
    }

    /** All lanes, in order. */
    List<LaneState> lanes();

    /**
     * Takes the lane if it is free or its lease is over; the epoch grows. Empty when somebody else holds it. An owner that
     * acquires its own lane again gets it, so that it need not wait for a lease whose acquisition it did not hear of.
     */
    Optional<TakenLane> take(int lane, String owner, Duration timeToLive);

    /**
     * Prolongs the leases that are still held at their epoch, also one that is over if nobody has taken it, and saves their
     * scan positions; an empty one replaces what was saved before.
     *
     * @return the lanes that were prolonged; any other is lost
     */
    Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive);

    /** Releases lanes that are still held at their epoch, with their scan positions. Others are left alone. */
    void release(Collection<Renewal> renewals);

    /** Removes this relay from the members. */
    void leave(String owner);

    /** A lane as everybody sees it; without owner it is free. */
    record LaneState(int lane, Optional<String> owner, long epoch, Duration remaining) {
        /** Whether somebody holds the lane and its lease is not over. */
        public boolean isOwned() {
            return owner.isPresent() && remaining.compareTo(Duration.ZERO) > 0;
        }
    }

    /** A lane just taken, with the scan position that its previous owner saved, if any. */
    record TakenLane(Lease lease, Optional<String> savedPosition) {}

    /** A lease to renew or to release, with the scan position to save, if any. */
    record Renewal(Lease lease, Optional<String> position) {}
}
