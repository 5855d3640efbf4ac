package dev.postrider.store.jdbc;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.Change;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
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

/** Records outcomes: fence, heads before, changes, heads after, commit. */
final class JdbcSettlements implements Settlements {

    private final JdbcContext context;
    private final LaneFence fence;
    private final RowWriter rows;
    private final ChangeWriter writer;
    private final GroupLookup groups;
    private final HeldOrder order;

    JdbcSettlements(JdbcContext context) {
        this.context = context;
        this.fence = new LaneFence(context);
        this.rows = new RowWriter(context);
        this.order = new HeldOrder(context);
        this.writer = new ChangeWriter(context, order);
        this.groups = new GroupLookup(context);
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
    public void apply(Lease lease, Ordering ordering, List<Change> changes) {
        try {
            apply(lease, ordering, changes, writer);
        } catch (StoreException failure) {
            if (!DamagedRows.isCauseOf(failure) || changes.stream().noneMatch(JdbcSettlements::isOfUnreadable)) {
                throw failure;
            }
            Map<Boolean, List<Change>> byDamage =
                    changes.stream().collect(Collectors.partitioningBy(JdbcSettlements::isOfUnreadable));
            apply(lease, ordering, requireNonNull(byDamage.get(false)), writer);
            requireNonNull(byDamage.get(true)).forEach(burial -> buryDamaged(lease, ordering, List.of(burial)));
        }
    }

    private static boolean isOfUnreadable(Change change) {
        return change instanceof Change.Bury bury && bury.reason() == Change.DeadReason.UNREADABLE;
    }

    /** With its content, if the server can copy that; else without, since it would stand in the way for ever. */
    private void buryDamaged(Lease lease, Ordering ordering, List<Change> burial) {
        try {
            apply(lease, ordering, burial, writer);
        } catch (StoreException failure) {
            if (!DamagedRows.isCauseOf(failure)) {
                throw failure;
            }
            apply(lease, ordering, burial, writer.withoutContent());
        }
    }

    private void apply(Lease lease, Ordering ordering, List<Change> changes, ChangeWriter by) {
        ChangeList list = ChangeList.of(lease, changes);
        context.transactions().run("settle lane " + lease.lane(), connection -> {
            fence.check(connection, lease);
            apply(connection, ordering, list, by);
        });
    }

    private void apply(Connection connection, Ordering ordering, ChangeList changes, ChangeWriter by)
            throws SQLException {
        Map<RowRef, HeldGroup> groupOf = new HashMap<>();
        groupOf.putAll(groups.find(connection, context.tables().hot(), ordering, changes.becomingHeld()));
        groupOf.putAll(groups.findHeld(connection, ordering, changes.alreadyHeld()));
        Set<HeldGroup> touched = new HashSet<>(groupOf.values());
        Map<HeldGroup, RowRef> before = order.before(connection, touched);
        by.write(connection, ordering, changes);
        Set<RowRef> dueNow = new HashSet<>(changes.becomingDue());
        dueNow.retainAll(groupOf.keySet());
        order.restore(connection, touched, before, dueNow);
    }
}
