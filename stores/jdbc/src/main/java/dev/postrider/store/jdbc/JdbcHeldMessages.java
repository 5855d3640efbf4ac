package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The held table: what is due, and what operators put back. */
final class JdbcHeldMessages implements HeldMessages {

    private final JdbcContext context;
    private final LaneFence fence;
    private final HeldOrder order;
    private final HeldHeads lineHeads;
    private final HeldAssignment assignment;
    private final HeldContents contents;
    private final DueReader dueReader;
    private final RetryAdoption adoption;

    JdbcHeldMessages(JdbcContext context, Ordering ordering) {
        this.context = context;
        this.fence = new LaneFence(context);
        this.order = new HeldOrder(context, ordering);
        this.lineHeads = new HeldHeads(context);
        this.assignment = new HeldAssignment(context, order, new GroupLookup(context, ordering));
        this.contents = new HeldContents(context);
        this.dueReader = new DueReader(context, ordering);
        this.adoption = new RetryAdoption(context, ordering);
    }

    @Override
    public void repair(Lease lease, Set<String> destinations) {
        context.transactions().run("repair held rows of lane " + lease.lane(), connection -> {
            fence.check(connection, lease);
            assignment.forgetOthers(connection, lease.lane(), destinations);
            order.repair(connection, lease.lane());
        });
    }

    @Override
    public List<OutboxRow.Held> unassigned(int lane, int maxRows, long maxBytes) {
        List<RowRef> rows = context.transactions()
                .inTransaction(
                        "look for held rows without destination",
                        c -> assignment.unassigned(c, lane, maxRows, maxBytes));
        return contents.readDamaged(rows);
    }

    @Override
    public void assign(Lease lease, Map<RowRef, String> destinations) {
        context.transactions().run("assign held rows of lane " + lease.lane(), connection -> {
            fence.check(connection, lease);
            assignment.assign(connection, destinations);
        });
    }

    @Override
    public Set<HeldLine> occupied(Set<HeldLine> lines) {
        List<HeldGroup> groups = lines.stream().map(HeldGroup::of).toList();
        return context
                .transactions()
                .inTransaction(
                        "look for held lines", c -> lineHeads.find(c, groups).keySet())
                .stream()
                .map(group -> group.line().orElseThrow())
                .collect(Collectors.toSet());
    }

    @Override
    public DueRows fetchDue(DueRequest request) {
        try {
            return context.transactions().inTransaction("fetch due held rows", c -> dueReader.read(c, request));
        } catch (StoreException failure) {
            if (!DamagedRows.isCauseOf(failure)) {
                throw failure;
            }
            return dueReader.readDamaged(request);
        }
    }

    @Override
    public int adoptRetries(Lease lease, int limit) {
        return context.transactions().inTransaction("adopt retries of lane " + lease.lane(), connection -> {
            fence.check(connection, lease);
            return adoption.adopt(connection, lease.lane(), limit);
        });
    }

    @Override
    public Set<Integer> lanesWithRetries(Set<Integer> lanes) {
        // An index on retry_requested: usually nothing is there.
        String sql = "SELECT DISTINCT lane FROM %s WHERE retry_requested = TRUE"
                .formatted(context.tables().dead());
        return context.transactions().inTransaction("look for retries", connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                Set<Integer> found = new HashSet<>(statement.list(row -> row.getInt("lane")));
                found.retainAll(lanes);
                return found;
            }
        });
    }
}
