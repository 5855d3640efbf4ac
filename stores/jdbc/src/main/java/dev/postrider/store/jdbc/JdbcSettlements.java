package dev.postrider.store.jdbc;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.DeadReason;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.Settlements;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Records outcomes: fence, heads before, outcomes, heads after, commit. */
final class JdbcSettlements implements Settlements {

    private final JdbcContext context;
    private final LaneFence fence;
    private final RowWriter rows;
    private final OutcomeWriter writer;
    private final GroupLookup groups;
    private final HeldOrder order;

    JdbcSettlements(JdbcContext context, Ordering ordering) {
        this.context = context;
        this.fence = new LaneFence(context);
        this.rows = new RowWriter(context);
        this.order = new HeldOrder(context, ordering);
        this.writer = new OutcomeWriter(context, order);
        this.groups = new GroupLookup(context, ordering);
    }

    @Override
    public void delete(List<RowRef> delivered) {
        if (!delivered.isEmpty()) {
            context.transactions()
                    .run(
                            "delete delivered messages",
                            c -> rows.delete(c, context.tables().hot(), delivered));
        }
    }

    @Override
    public void apply(Lease lease, List<RowOutcome> outcomes) {
        try {
            apply(lease, outcomes, writer);
        } catch (StoreException failure) {
            if (!DamagedRows.isCauseOf(failure) || outcomes.stream().noneMatch(JdbcSettlements::isOfUnreadable)) {
                throw failure;
            }
            Map<Boolean, List<RowOutcome>> byDamage =
                    outcomes.stream().collect(Collectors.partitioningBy(JdbcSettlements::isOfUnreadable));
            apply(lease, requireNonNull(byDamage.get(false)), writer);
            requireNonNull(byDamage.get(true)).forEach(burial -> buryDamaged(lease, List.of(burial)));
        }
    }

    private static boolean isOfUnreadable(RowOutcome outcome) {
        return outcome.outcome() instanceof RowOutcome.Dead dead && dead.reason() == DeadReason.UNREADABLE;
    }

    /** With its content, if the server can copy that; else without, since it would stand in the way for ever. */
    private void buryDamaged(Lease lease, List<RowOutcome> burial) {
        try {
            apply(lease, burial, writer);
        } catch (StoreException failure) {
            if (!DamagedRows.isCauseOf(failure)) {
                throw failure;
            }
            apply(lease, burial, writer.withoutContent());
        }
    }

    private void apply(Lease lease, List<RowOutcome> outcomes, OutcomeWriter by) {
        OutcomeList list = OutcomeList.of(lease, outcomes);
        context.transactions().run("settle lane " + lease.lane(), connection -> {
            fence.check(connection, lease);
            apply(connection, list, by);
        });
    }

    private void apply(Connection connection, OutcomeList outcomes, OutcomeWriter by) throws SQLException {
        Map<RowRef, HeldGroup> groupOf = new HashMap<>();
        groupOf.putAll(groups.find(connection, context.tables().hot(), outcomes.becomingHeld()));
        groupOf.putAll(groups.findHeld(connection, outcomes.alreadyHeld()));
        Set<HeldGroup> touched = new HashSet<>(groupOf.values());
        Map<HeldGroup, RowRef> before = order.before(connection, touched);
        by.write(connection, outcomes);
        Set<RowRef> dueNow = new HashSet<>(outcomes.becomingDue());
        dueNow.retainAll(groupOf.keySet());
        order.restore(connection, touched, before, dueNow);
    }
}
