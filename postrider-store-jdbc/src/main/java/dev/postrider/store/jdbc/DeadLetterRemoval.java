package dev.postrider.store.jdbc;

import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.store.jdbc.LockedLetters.Letter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Deletes dead letters, with the markers of keys of which none is left. */
final class DeadLetterRemoval {

    private final JdbcContext context;
    private final LockedLetters locked;
    private final RowWriter rows;
    private final BuriedKeys markers;
    private final LaneFence fence;

    DeadLetterRemoval(JdbcContext context, LockedLetters locked) {
        this.context = context;
        this.locked = locked;
        this.rows = new RowWriter(context);
        this.markers = new BuriedKeys(context);
        this.fence = new LaneFence(context);
    }

    void remove(Connection connection, List<Letter> letters) throws SQLException {
        rows.delete(connection, context.tables().dead(), Letter.refs(letters));
        liftMarkersWithoutLetters(connection, letters);
    }

    /**
     * Whoever removes the last letter of a key that was given up lets the key live again. Under the lock of the lane: a relay
     * may be about to commit a further letter of the key, which nobody else can see yet.
     */
    private void liftMarkersWithoutLetters(Connection connection, List<Letter> letters) throws SQLException {
        Set<String> keys = new HashSet<>();
        letters.forEach(letter -> letter.key().ifPresent(keys::add));
        Set<String> buried = markers.find(connection, keys);
        lockLanes(connection, letters, buried);
        for (String key : buried) {
            DeadLetterCondition ofKey =
                    new DeadLetterCondition(DeadLetterFilter.all().withKey(key));
            if (locked.select(connection, ofKey, 1).isEmpty()) {
                markers.lift(connection, List.of(key));
            }
        }
    }

    private void lockLanes(Connection connection, List<Letter> letters, Set<String> keys) throws SQLException {
        Set<Integer> lanes = new TreeSet<>();
        letters.stream()
                .filter(letter -> letter.key().filter(keys::contains).isPresent())
                .forEach(letter -> lanes.add(letter.ref().lane()));
        for (int lane : lanes) {
            fence.lock(connection, lane);
        }
    }
}
