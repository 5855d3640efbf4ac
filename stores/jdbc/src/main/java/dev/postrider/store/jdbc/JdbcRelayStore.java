package dev.postrider.store.jdbc;

import static java.util.Objects.requireNonNull;

import dev.postrider.internal.Internal;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The shared parts that a relay uses, for the order that it keeps. Databases that record outcomes in a faster way of their own extend it.
 *
 * <p>Settling is one transaction: fence, heads before, outcomes, heads after, commit.
 */
@Internal
public class JdbcRelayStore implements RelayStore {

    private final JdbcContext context;
    private final Supplier<LaneScan> scans;
    private final HeldMessages held;
    private final DelayedRelease delayed;
    private final LaneFence fence;
    private final RowWriter rows;
    private final OutcomeWriter writer;
    private final GroupLookup groups;
    private final HeldOrder order;

    /** Each {@link #openScan()} makes a new scan. */
    public JdbcRelayStore(JdbcContext context, Supplier<LaneScan> scans, Ordering ordering) {
        this.context = context;
        this.scans = scans;
        this.held = new JdbcHeldMessages(context, ordering);
        this.delayed = new DelayedRelease(context);
        this.fence = new LaneFence(context);
        this.rows = new RowWriter(context);
        this.order = new HeldOrder(context, ordering);
        this.writer = new OutcomeWriter(context, order);
        this.groups = new GroupLookup(context, ordering);
    }

    @Override
    public final LaneScan openScan() {
        return new UndamagedScan(context, scans.get());
    }

    @Override
    public final HeldMessages held() {
        return held;
    }

    @Override
    public final Released releaseDelayed(Set<Integer> lanes, int limit) {
        return delayed.release(lanes, limit);
    }

    @Override
    public void deleteDelivered(List<RowRef> delivered) {
        if (!delivered.isEmpty()) {
            context.transactions()
                    .run(
                            "delete delivered messages",
                            c -> rows.delete(c, context.tables().hot(), delivered));
        }
    }

    @Override
    public void settle(Lease lease, List<RowOutcome> outcomes) {
        try {
            settle(lease, outcomes, writer);
        } catch (StoreException failure) {
            if (!DamagedRows.isCauseOf(failure) || outcomes.stream().noneMatch(JdbcRelayStore::isOfUnreadable)) {
                throw failure;
            }
            Map<Boolean, List<RowOutcome>> byDamage =
                    outcomes.stream().collect(Collectors.partitioningBy(JdbcRelayStore::isOfUnreadable));
            settle(lease, requireNonNull(byDamage.get(false)), writer);
            requireNonNull(byDamage.get(true)).forEach(burial -> buryDamaged(lease, List.of(burial)));
        }
    }

    private static boolean isOfUnreadable(RowOutcome outcome) {
        return outcome.outcome() instanceof RowOutcome.Dead dead && dead.reason() == DeadReason.UNREADABLE;
    }

    /** With its content, if the server can copy that; else without, since it would stand in the way for ever. */
    private void buryDamaged(Lease lease, List<RowOutcome> burial) {
        try {
            settle(lease, burial, writer);
        } catch (StoreException failure) {
            if (!DamagedRows.isCauseOf(failure)) {
                throw failure;
            }
            settle(lease, burial, writer.withoutContent());
        }
    }

    private void settle(Lease lease, List<RowOutcome> outcomes, OutcomeWriter by) {
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
