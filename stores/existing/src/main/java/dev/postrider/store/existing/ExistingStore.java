package dev.postrider.store.existing;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Check;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Pauses;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.StoreException;
import dev.postrider.spi.WakeSignal;
import dev.postrider.store.existing.Rows.Counts;
import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An outbox over tables that already exist.
 *
 * <p>Threads: as any store. Locks: see the three kinds of {@link Claims}. Crash points: a row is undelivered until one
 * transaction says otherwise, so a crash before it lets the row be sent again, by the next who may claim it. What the tables cannot
 * remember is kept in this process ({@link FailureMemory}).
 */
final class ExistingStore implements OutboxStore {

    // What a table cannot tell to other processes, each with a way out; the blank is for its name.

    private static final String NOT_SHARED_PAUSES =
            "%s has no lock table, so a pause reaches only relays of the process that asks for it. Name a lock table"
                    + " in the section 'existing' (schema print --preset relay-lock), or stop the relay";

    private static final String NOT_SHARED_BLOCKED =
            "%s has no column for the time of the next or last attempt, so only the relay that blocked a row knows of"
                    + " it. Restart that relay, which tries each such row once more, or map 'next-attempt' or"
                    + " 'last-attempt'";

    private static final String NOT_SHARED_DEAD =
            "%s has no place for rows that were given up, so only the relay that gave a row up knows of it. Restart"
                    + " that relay, which tries such rows again, or map a dead status, 'dead-table' or 'dead-at-attempts'";

    private static final String NOT_SHARED_RELAYS =
            "%s does not tell which relays run: each takes rows that no other has. Ask a relay itself, by /ready or"
                    + " its log";

    /** Up to how many rows are counted; beyond that the planner estimates them. */
    static final int MOST_COUNTED = 100_000;

    private final StoreParts parts;
    private final TransactionRunner transactions;
    private final MessageLimits limits;
    private final int lanes;
    private final Set<Ordering> orderings;
    private final LaneLeases leases;
    private final Consumer<Lease> fence;
    private final Operations operations;
    private final WakeSignal wakeSignal;

    ExistingStore(
            StoreParts parts,
            StoreSettings settings,
            TransactionRunner transactions,
            Ownership ownership,
            Operations operations) {
        this.parts = parts;
        this.transactions = transactions;
        this.limits = settings.limits();
        this.lanes = settings.lanes();
        this.orderings = settings.orderings();
        this.wakeSignal = settings.wakeSignal();
        this.leases = ownership.leases();
        this.fence = ownership.fence();
        this.operations = operations;
    }

    /**
     * Who may send which rows.
     *
     * @param fence throws if a lease was lost, where the tables themselves cannot tell
     */
    record Ownership(LaneLeases leases, Consumer<Lease> fence) {}

    /** What operators and cleanups use. */
    record Operations(DeadLetters deadLetters, Maintenance maintenance, ExistingPauses pauses) {}

    @Override
    public String name() {
        return parts.rows().name();
    }

    @Override
    public int laneCount() {
        return lanes;
    }

    @Override
    public Set<Ordering> orderings() {
        return orderings;
    }

    @Override
    public String orderingAdvice() {
        return "Relays share its rows and send them side by side. To keep the order of each key, set"
                + " leader(RELAY_NAME) for the table: one relay at a time is then active, and the others wait. To relay"
                + " without an order, choose Ordering.NONE";
    }

    @Override
    public Ordering defaultOrdering() {
        return parts.rows().defaultOrdering();
    }

    @Override
    public int maxSupportedAttempts() {
        return parts.rows().maxSupportedAttempts();
    }

    @Override
    public MessageLimits limits() {
        return limits;
    }

    /**
     * Writes rows as the services do to which the table belongs.
     *
     * @throws dev.postrider.message.InvalidMessageException if the table has no place for something that a message says
     * @throws StoreException if the database refuses
     */
    @Override
    public List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages) {
        try {
            parts.rows().insert(connection, messages);
            return messages;
        } catch (SQLException error) {
            throw new StoreException(
                    "Could not insert %d message(s) into %s: %s".formatted(messages.size(), name(), error.getMessage()),
                    error);
        }
    }

    @Override
    public LaneLeases leases() {
        return leases;
    }

    /**
     * What a relay uses.
     *
     * @throws StoreException if the tables cannot keep this order
     */
    @Override
    public RelayStore forRelay(Ordering ordering) {
        if (!orderings.contains(ordering)) {
            throw new StoreException("%s cannot keep Ordering.%s. %s".formatted(name(), ordering, orderingAdvice()));
        }
        return new ExistingRelayStore(parts, ordering, fence, transactions);
    }

    @Override
    public int unblock(Optional<String> key, String operator) {
        List<RowKey> shelved = parts.failures().unblock(key);
        return transactions.inTransaction("unblock rows", connection -> {
            parts.rows().startAnew(connection, shelved);
            return shelved.size() + parts.rows().unblock(connection, key);
        });
    }

    @Override
    public DeadLetters deadLetters() {
        return operations.deadLetters();
    }

    @Override
    public Pauses pauses() {
        return operations.pauses();
    }

    @Override
    public Optional<String> whyNotShared(Part part) {
        return switch (part) {
            case PAUSES ->
                operations.pauses().isShared() ? Optional.empty() : Optional.of(NOT_SHARED_PAUSES.formatted(name()));
            case BLOCKED ->
                parts.rows().remembersBlocks() ? Optional.empty() : Optional.of(NOT_SHARED_BLOCKED.formatted(name()));
            case DEAD_LETTERS ->
                parts.rows().remembersDead() ? Optional.empty() : Optional.of(NOT_SHARED_DEAD.formatted(name()));
            case RELAYS ->
                leases instanceof LeaderLeases ? Optional.empty() : Optional.of(NOT_SHARED_RELAYS.formatted(name()));
        };
    }

    @Override
    public OutboxStats stats() {
        Counts counts = transactions.inTransaction(
                "read statistics", connection -> parts.rows().count(connection, MOST_COUNTED));
        return new OutboxStats(
                counts.undelivered().rows(),
                counts.undelivered().isExact(),
                Math.max(counts.waiting(), parts.failures().waitingCount()),
                0,
                counts.dead() + parts.failures().dead().size(),
                counts.kept(),
                counts.oldestAge());
    }

    @Override
    public Map<String, RowCount> countsByStatus() {
        return transactions.inTransaction(
                "count rows by status", connection -> parts.rows().countsByStatus(connection, MOST_COUNTED));
    }

    @Override
    public List<Check> checks() {
        return List.of(new TimeZoneCheck(parts.rows(), transactions));
    }

    @Override
    public Maintenance maintenance() {
        return operations.maintenance();
    }

    @Override
    public WakeSignal wakeSignal() {
        return wakeSignal;
    }
}
