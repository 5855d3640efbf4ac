package dev.postrider.store.postgres;

import java.time.Instant;

/**
 * When something was read: the snapshot, the run of the server, and the database's clock.
 *
 * @param incarnation tells this run of the server from one before a crash or on another machine
 */
record Moment(Snapshot snapshot, String incarnation, Instant time) {

    /**
     * Whether the server is no longer the one of that earlier moment, so that its transaction numbers mean nothing here.
     * Numbers that run backwards show it too, whatever the token says.
     */
    boolean isOnAnotherServerThan(Moment earlier) {
        return !incarnation.equals(earlier.incarnation)
                || Long.compareUnsigned(snapshot.xmax(), earlier.snapshot.xmax()) < 0;
    }
}
