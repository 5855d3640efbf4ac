package dev.postrider.store.existing;

import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Lease;
import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The lease of the one lane, as a row of a lock table: one relay is active, among all processes.
 *
 * <p>The table knows no epochs, but every relay has another holder id, so the holder is the fence. Thread-safe.
 */
final class LeaderLeases implements LaneLeases {

    static final int LANE = 0;

    private final TransactionRunner transactions;
    private final LockTable locks;
    private final String name;
    private final AtomicLong epoch = new AtomicLong();

    LeaderLeases(TransactionRunner transactions, LockTable locks, String name) {
        this.transactions = transactions;
        this.locks = locks;
        this.name = name;
    }

    /** There is nothing to share, so it does not matter who else is there. */
    @Override
    public int heartbeat(String owner, Duration timeToLive) {
        return 1;
    }

    @Override
    public List<LaneState> lanes() {
        return transactions.inTransaction("read the leader lease", connection -> {
            Optional<LockTable.State> state = locks.state(connection, name);
            return List.of(new LaneState(
                    LANE,
                    state.map(LockTable.State::holder),
                    epoch.get(),
                    state.map(LockTable.State::remaining).orElse(Duration.ZERO)));
        });
    }

    @Override
    public Optional<TakenLane> take(int lane, String owner, Duration timeToLive) {
        transactions.leaseIs(timeToLive);
        boolean isTaken = transactions.inTransaction(
                "take the leader lease", connection -> locks.take(connection, name, owner, timeToLive));
        return isTaken
                ? Optional.of(new TakenLane(new Lease(LANE, owner, epoch.incrementAndGet()), Optional.empty()))
                : Optional.empty();
    }

    @Override
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        transactions.leaseIs(timeToLive);
        for (Renewal renewal : renewals) {
            String owner = renewal.lease().owner();
            boolean isRenewed = transactions.inTransaction(
                    "renew the leader lease", connection -> locks.renew(connection, name, owner, timeToLive));
            if (isRenewed) {
                return Set.of(LANE);
            }
        }
        return Set.of();
    }

    @Override
    public void release(Collection<Renewal> renewals) {
        for (Renewal renewal : renewals) {
            transactions.run(
                    "release the leader lease",
                    connection ->
                            locks.release(connection, name, renewal.lease().owner()));
        }
    }

    @Override
    public void leave(String owner) {}

    /** Whether the lease is held; if so, nobody can take it before this transaction ends. */
    boolean isHeld(Connection connection, Lease lease) throws SQLException {
        return locks.isHeld(connection, name, lease.owner());
    }
}
