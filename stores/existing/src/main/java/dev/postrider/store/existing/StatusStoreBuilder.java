package dev.postrider.store.existing;

import dev.postrider.internal.Range;
import dev.postrider.message.MessageLimits;
import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import dev.postrider.spi.WakeSignal;
import dev.postrider.store.existing.ExistingStore.Operations;
import dev.postrider.store.existing.ExistingStore.Ownership;
import dev.postrider.store.jdbc.TransactionRunner;
import dev.postrider.store.jdbc.UnmanagedDataSource;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Collects the options of a {@link StatusOutboxStore}. Not thread-safe. */
public final class StatusStoreBuilder {

    private static final String LOCK_TABLE = "relay_lock";

    private final DataSource dataSource;
    private final TableMapping mapping;
    private MessageLimits limits = MessageLimits.defaults();
    private int lanes = 2;
    private int batchRows = 100;
    private Optional<String> leader = Optional.empty();
    private Optional<TablePath> lockTable = Optional.empty();
    private Optional<Duration> window = Optional.empty();
    private Duration fullLookInterval = Duration.ofMinutes(1);
    private Optional<TablePath> archiveTable = Optional.empty();
    private Optional<Database> server = Optional.empty();

    StatusStoreBuilder(DataSource dataSource, TableMapping mapping) {
        this.dataSource = UnmanagedDataSource.of(Objects.requireNonNull(dataSource, "dataSource"));
        this.mapping = Objects.requireNonNull(mapping, "mapping");
    }

    /** How large messages may be; a larger row is given up. Default: {@link MessageLimits#defaults()}. */
    public StatusStoreBuilder limits(MessageLimits value) {
        this.limits = Objects.requireNonNull(value, "limits");
        return this;
    }

    /**
     * How many workers of this process can claim rows at once. In a table without a column for claims each of them needs a
     * connection of its own, and all together take one more, if the pool has it, while there is a backlog. Default: 2. Range: 1 to 64.
     */
    public StatusStoreBuilder lanes(int value) {
        this.lanes = Range.of("lanes", value, 1, 64);
        return this;
    }

    /**
     * Maximum number of rows that an open transaction claims, in a table without a column for claims. After a crash this many of
     * each worker may be sent twice, and those of one batch that was being committed. Default: 100. Range: 1 to 10,000.
     */
    public StatusStoreBuilder batchRows(int value) {
        this.batchRows = Range.of("batchRows", value, 1, 10_000);
        return this;
    }

    /**
     * Lets one relay at a time be active, by a lease of this name in the lock table: then relays may keep
     * {@link Ordering#PER_KEY} and {@link Ordering#GLOBAL}. Default: all relays are active.
     */
    public StatusStoreBuilder leader(String name) {
        this.leader = Optional.of(name);
        return this;
    }

    /**
     * A table with the columns {@code name}, {@code holder_id} and {@code expire_time}, for the leader lease, and for pauses and
     * maintenance across processes. It is created when it is first needed. Default: {@code relay_lock}; without {@link #leader} pauses
     * are shared only if the table is named here.
     */
    public StatusStoreBuilder lockTable(String name) {
        this.lockTable = Optional.of(TablePath.parse(name));
        return this;
    }

    /**
     * Looks at rows of this age and younger only, so that old partitions are not read; needs a column mapped as partition. Default:
     * none.
     */
    public StatusStoreBuilder window(Duration value) {
        this.window = Optional.of(Range.of("window", value, Duration.ofMinutes(1), Duration.ofDays(3650)));
        return this;
    }

    /** How often rows older than the window are looked for. Default: 1 minute. Range: 1 second to 1 day. */
    public StatusStoreBuilder fullLookInterval(Duration value) {
        this.fullLookInterval = Range.of("fullLookInterval", value, Duration.ofSeconds(1), Duration.ofDays(1));
        return this;
    }

    /** Where cleanup moves old delivered rows: a table with the same columns. Default: they are deleted. */
    public StatusStoreBuilder archiveTable(String name) {
        this.archiveTable = Optional.of(TablePath.parse(name));
        return this;
    }

    /** For tests: takes the server for this one. */
    StatusStoreBuilder database(Database value) {
        this.server = Optional.of(value);
        return this;
    }

    /**
     * Compares the mapping with the table, and opens the store.
     *
     * @throws MappingException if they do not fit; it names every column
     * @throws StoreException if the database cannot do what is needed
     */
    public OutboxStore build() {
        Database database = server.orElseGet(() -> Database.of(dataSource));
        refuseTidb(database, mapping.table, leader.isPresent());
        TransactionRunner transactions =
                new TransactionRunner(dataSource, database, "existing table " + mapping.table + " (" + database + ")");
        TableColumns opened = transactions.unlimited().inTransaction("read the table's columns", connection -> {
            TableColumns columns = MappingCheck.check(connection, database, mapping, archiveTable);
            if (window.isPresent() && !columns.has(Role.PARTITION)) {
                throw new MappingException(
                        mapping.table,
                        List.of("a window needs a partitioned table with a column mapped as partition: on any other it"
                                + " makes every look slower"));
            }
            return columns;
        });
        LockTables locks =
                new LockTables(transactions, database, lockTable.orElseGet(() -> TablePath.parse(LOCK_TABLE)));
        if (leader.isPresent() || lockTable.isPresent()) {
            // One that is there and is no lock table is refused now, and not when a lock is needed.
            locks.find();
        }
        return open(transactions, opened, locks);
    }

    /** What an import needs to know; a leader whose name it is not told it can only see. */
    TableImport.Source importSource() {
        Database database = Database.of(dataSource);
        TransactionRunner transactions =
                new TransactionRunner(dataSource, database, "existing table " + mapping.table).unlimited();
        ImportGuard guard = ImportGuard.of(
                new LockTables(transactions, database, lockTable.orElseGet(() -> TablePath.parse(LOCK_TABLE))), leader);
        return transactions.inTransaction("read the table's columns", connection -> {
            TableColumns columns = MappingCheck.check(connection, database, mapping, Optional.empty());
            return new TableImport.Source(
                    dataSource, new StatusTable(columns, Optional.empty(), Optional.empty()), transactions, guard);
        });
    }

    static void refuseTidb(Database database, TablePath table, boolean hasLeader) {
        if (database == Database.TIDB && !hasLeader) {
            throw new StoreException(
                    "TiDB reads SKIP LOCKED and locks nothing by it, so two relays would send the same rows of " + table
                            + "; use leader(…), which claims no rows, or the move layout");
        }
    }

    private OutboxStore open(TransactionRunner transactions, TableColumns columns, LockTables locks) {
        StatusTable table = new StatusTable(columns, window, archiveTable);
        RowReader reader = new RowReader(table, limits);
        TakenRows taken = new TakenRows();
        Claims.Parts<StatusTable> claimParts = new Claims.Parts<>(table, reader, transactions, taken);
        FailureMemory failures = new FailureMemory(table);
        WakeSignal wakeSignal = new WakeSignal();
        Claims claims;
        LaneLeases leases;
        Consumer<Lease> fence;
        if (leader.isPresent()) {
            LeaderLeases leaderLeases =
                    new LeaderLeases(transactions, new NamedLock(transactions, locks, leader.get()), table, failures);
            leases = leaderLeases;
            claims = new LeaderClaims(claimParts, leaderLeases);
            fence = lease -> {};
        } else {
            Candidates candidates = new Candidates(table.finder(), taken, lanes);
            claims = columns.claim().isPresent()
                    ? new LeaseClaims(claimParts, candidates)
                    : new TransactionClaims(claimParts, candidates, wakeSignal, batchRows);
            LocalLeases local = new LocalLeases(lanes, claims, taken);
            leases = local;
            fence = local::require;
        }
        StoreParts parts =
                new StoreParts(table, claims, taken, failures, window.isPresent() ? fullLookInterval : Duration.ZERO);
        Set<Ordering> orderings = leader.isPresent() ? EnumSet.allOf(Ordering.class) : EnumSet.of(Ordering.NONE);
        Optional<AuditPartitions> partitions = StatusPartitions.of(dataSource, transactions.unlimited(), table);
        return new ExistingStore(
                parts,
                new StoreSettings(limits, leader.isPresent() ? 1 : lanes, orderings, wakeSignal),
                transactions,
                new Ownership(leases, fence),
                new Operations(
                        new ExistingDeadLetters(table, reader, transactions, parts.failures()),
                        new ExistingMaintenance(
                                table, transactions, name -> new NamedLock(transactions, locks, name), partitions),
                        new ExistingPauses(
                                transactions,
                                leader.isPresent() || lockTable.isPresent() ? Optional.of(locks) : Optional.empty())));
    }
}
