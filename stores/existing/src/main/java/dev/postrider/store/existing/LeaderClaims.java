package dev.postrider.store.existing;

import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.store.existing.Candidates.Candidate;
import dev.postrider.store.existing.RowReader.ReadRow;
import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Claims nothing: there is one active relay, which holds the leader lease, and all rows are its own.
 *
 * <p>Whatever it records beside deliveries is fenced by the row of the lease, locked in the same transaction.
 */
final class LeaderClaims implements Claims {

    private final Rows rows;
    private final RowReader reader;
    private final TransactionRunner transactions;
    private final TakenRows taken;
    private final LeaderLeases leases;

    LeaderClaims(Parts<?> parts, LeaderLeases leases) {
        this.rows = parts.rows();
        this.reader = parts.reader();
        this.transactions = parts.transactions();
        this.taken = parts.taken();
        this.leases = leases;
    }

    @Override
    public void leaseIs(Duration length) {}

    @Override
    public boolean mayTake(Set<Integer> lanes) {
        return true;
    }

    /** Rows that the relay has already are found again, and passed over here. */
    @Override
    public TakenBatch take(int lane, RowQuery find, long maxBytes) {
        Set<RowKey> known = new HashSet<>();
        taken.of(lane).forEach(one -> known.add(one.key()));
        RowQuery wider = new RowQuery(
                find.limit() + known.size(),
                find.excludedTopics(),
                find.ordering(),
                find.skipped(),
                find.skippedKeys(),
                find.reach());
        // So small that metadata and data of all rows of a look fit. What is passed over would be read again and again.
        long smallBytes = known.isEmpty() ? maxBytes / find.limit() / 2 : 0;
        List<TakenRow> result = new ArrayList<>();
        boolean isMore = transactions.inTransaction("read rows", connection -> {
            result.clear();
            List<Candidate> found = new ArrayList<>(rows.candidates(connection, wider, smallBytes));
            boolean isFull = found.size() >= wider.limit();
            found.removeIf(candidate -> known.contains(candidate.key()));
            List<Candidate> fitting = RowReader.fitting(found, Candidate::bytes, find.limit(), maxBytes);
            for (ReadRow row : reader.read(connection, fitting)) {
                result.add(new TakenRow(new Taken(0, lane, row.head()), row));
            }
            return isFull && !found.isEmpty();
        });
        return new TakenBatch(result.stream().map(row -> added(lane, row)).toList(), isMore);
    }

    private TakenRow added(int lane, TakenRow row) {
        return new TakenRow(taken.add(lane, row.taken().head()), row.row());
    }

    @Override
    public boolean prolong(int lane, Duration length) {
        return true;
    }

    @Override
    public void giveBack(List<Taken> given) {
        given.forEach(taken::remove);
    }

    @Override
    public void settle(List<Settled> settled, Optional<Lease> lease) {
        Map<RowKey, Outcome> outcomes = new LinkedHashMap<>();
        settled.forEach(one -> outcomes.put(one.taken().key(), one.outcome()));
        transactions.run("settle rows", connection -> {
            if (lease.isPresent()) {
                require(connection, lease.get());
            }
            rows.apply(connection, outcomes, Optional.empty());
        });
        settled.forEach(one -> taken.remove(one.taken()));
    }

    private void require(Connection connection, Lease lease) throws SQLException {
        if (!leases.isHeld(connection, lease)) {
            throw new LeaseLostException(lease);
        }
    }
}
