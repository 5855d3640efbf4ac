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
 * The lease of the one lane, by a lock: one relay is active, among all processes.
 *
 * <p>The lock knows no epochs, but every relay has another holder id, so the holder is the fence. Thread-safe.
 */
final class LeaderLeases implements LaneLeases {

    static final int LANE = 0;

    private final TransactionRunner transactions;
    private final NamedLock lock;
    private final Rows rows;
    private final FailureMemory failures;
    private final AtomicLong epoch = new AtomicLong();

    /** @param failures what this process has known since it last led */
    LeaderLeases(TransactionRunner transactions, NamedLock lock, Rows rows, FailureMemory failures) {
        this.transactions = transactions;
        this.lock = lock;
        this.rows = rows;
        this.failures = failures;
    }

    /** There is nothing to share, so it does not matter who else is there. */
    @Override
    public int heartbeat(String owner, Duration timeToLive) {
        return 1;
    }

    @Override
    public List<LaneState> lanes() {
        Optional<LockTable.State> state = lock.state();
        return List.of(new LaneState(
                LANE,
                state.map(LockTable.State::holder),
                epoch.get(),
                state.map(LockTable.State::remaining).orElse(Duration.ZERO)));
    }

    @Override
    public Optional<TakenLane> take(int lane, String owner, Duration timeToLive) {
        transactions.leaseIs(timeToLive);
        if (!lock.take(owner, timeToLive)) {
            return Optional.empty();
        }
        failures.forgetUnless(known -> transactions.inTransaction(
                "look for failed rows", connection -> List.copyOf(rows.undeliveredAmong(connection, known))));
        return Optional.of(new TakenLane(new Lease(LANE, owner, epoch.incrementAndGet()), Optional.empty()));
    }

    @Override
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        transactions.leaseIs(timeToLive);
        return renewals.stream().anyMatch(renewal -> lock.renew(renewal.lease().owner(), timeToLive))
                ? Set.of(LANE)
                : Set.of();
    }

    @Override
    public void release(Collection<Renewal> renewals) {
        renewals.forEach(renewal -> lock.release(renewal.lease().owner()));
    }

    @Override
    public void leave(String owner) {}

    /** Whether the lease is held, as far as this transaction can tell. */
    boolean isHeld(Connection connection, Lease lease) throws SQLException {
        return lock.isHeld(connection, lease.owner());
    }
}
