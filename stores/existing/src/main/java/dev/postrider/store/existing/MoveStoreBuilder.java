package dev.postrider.store.existing;

import dev.postrider.message.MessageLimits;
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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/** Collects the options of a {@link MoveOutboxStore}. Not thread-safe. */
public final class MoveStoreBuilder {

    private final DataSource dataSource;
    private MessageLimits limits = MessageLimits.defaults();
    private TablePath pendingTable = TablePath.parse("outbox_pending");
    private Optional<TablePath> waitTable = Optional.of(TablePath.parse("outbox_wait"));
    private Optional<TablePath> parkingTable = Optional.of(TablePath.parse("outbox_parking_lot"));
    private Optional<TablePath> completedTable = Optional.empty();
    private TablePath lockTable = TablePath.parse("relay_lock");
    private String leader = "outbox-relay";
    private Optional<String> topic = Optional.empty();
    private String keyAttribute = MoveTexts.SUBJECT;
    private boolean isLenient = true;
    private Optional<Database> database = Optional.empty();

    MoveStoreBuilder(DataSource dataSource) {
        this.dataSource = UnmanagedDataSource.of(Objects.requireNonNull(dataSource, "dataSource"));
    }

    /** How large messages may be; a larger row is given up. Default: {@link MessageLimits#defaults()}. */
    public MoveStoreBuilder limits(MessageLimits value) {
        this.limits = Objects.requireNonNull(value, "limits");
        return this;
    }

    /** Where services write. Default: {@code outbox_pending}. */
    public MoveStoreBuilder pendingTable(String name) {
        this.pendingTable = TablePath.parse(name);
        return this;
    }

    /** Where failed rows wait. Default: {@code outbox_wait}. */
    public MoveStoreBuilder waitTable(String name) {
        this.waitTable = Optional.of(TablePath.parse(name));
        return this;
    }

    /**
     * There is no table in which failed rows wait: they stay where they are, and the relay keeps attempts and pauses in memory until it
     * ends. Then pending rows need no {@code retry_count} either.
     */
    public MoveStoreBuilder withoutWaitTable() {
        this.waitTable = Optional.empty();
        return this;
    }

    /** Where rows go that are given up. Default: {@code outbox_parking_lot}. */
    public MoveStoreBuilder parkingTable(String name) {
        this.parkingTable = Optional.of(TablePath.parse(name));
        return this;
    }

    /** There is no table for rows that are given up: they stay where they are, and are tried again when the relay is restarted. */
    public MoveStoreBuilder withoutParkingTable() {
        this.parkingTable = Optional.empty();
        return this;
    }

    /** Where delivered rows go. Default: none, they are deleted. */
    public MoveStoreBuilder completedTable(String name) {
        this.completedTable = Optional.of(TablePath.parse(name));
        return this;
    }

    /** The table of the leader lease, pauses and maintenance, which is created when it is first needed. Default: {@code relay_lock}. */
    public MoveStoreBuilder lockTable(String name) {
        this.lockTable = TablePath.parse(name);
        return this;
    }

    /** The name of the leader lease. Default: {@code outbox-relay}. */
    public MoveStoreBuilder leader(String name) {
        this.leader = Objects.requireNonNull(name, "leader");
        return this;
    }

    /** Where all messages go at the broker. Default: none, they go where the part of their type before the last dot says. */
    public MoveStoreBuilder topic(String value) {
        this.topic = Optional.of(value);
        return this;
    }

    /**
     * The attribute whose value is the key of an event: {@code subject}, or the name of an extension. It matters with
     * {@link Ordering#PER_KEY}, and to brokers that know keys. Default: {@code subject}.
     */
    public MoveStoreBuilder keyAttribute(String name) {
        if (!name.matches("[A-Za-z0-9_-]{1,100}")) {
            throw new IllegalArgumentException(
                    "keyAttribute is '" + name + "', expected subject or the name of an extension");
        }
        this.keyAttribute = name;
        return this;
    }

    /**
     * Whether attributes that CloudEvents would have otherwise, such as an extension {@code traceID} or an empty source, are sent as they
     * were written. If not, such a row is given up. Default: true.
     */
    public MoveStoreBuilder lenient(boolean value) {
        this.isLenient = value;
        return this;
    }

    /** For tests: takes the server for this one. */
    MoveStoreBuilder database(Database value) {
        this.database = Optional.of(value);
        return this;
    }

    /**
     * Checks the tables, and opens the store.
     *
     * @throws MappingException if they are not as they must be
     * @throws StoreException if the database is not MySQL, MariaDB or TiDB
     */
    public OutboxStore build() {
        TransactionRunner transactions = transactions();
        return open(transactions, rows(transactions.unlimited()));
    }

    DataSource dataSource() {
        return dataSource;
    }

    TransactionRunner transactions() {
        return new TransactionRunner(dataSource, server(), "existing tables around " + pendingTable);
    }

    private Database server() {
        Database found = database.orElseGet(() -> Database.of(dataSource));
        if (found.isPostgres()) {
            throw new StoreException("The move layout is for MySQL, MariaDB and TiDB, but this is PostgreSQL");
        }
        return found;
    }

    /** The tables, found to be as they must be. */
    MoveTables rows(TransactionRunner transactions) {
        MovePaths paths = new MovePaths(pendingTable, waitTable, parkingTable, completedTable);
        Database server = server();
        MoveTables.Opened opened = transactions.inTransaction("read the tables' columns", connection -> {
            Map<String, Column> columns = paths.check(connection, server);
            return new MoveTables.Opened(
                    paths,
                    columns.containsKey(MovePaths.RETRIES),
                    Objects.requireNonNull(columns.get("metadata")).kind() == ColumnKind.JSON,
                    completedTable.isPresent()
                            ? HourRing.of(connection, server, completedTable.get())
                            : Optional.<HourRing>empty());
        });
        return new MoveTables(server, opened, new MoveTexts(topic, keyAttribute, isLenient));
    }

    /** For an import. */
    ImportGuard guard(TransactionRunner transactions) {
        return ImportGuard.of(new LockTables(transactions, server(), lockTable), Optional.of(leader));
    }

    private OutboxStore open(TransactionRunner transactions, MoveTables tables) {
        LockTables locks = new LockTables(transactions, server(), lockTable);
        // One that is there and is no lock table is refused now, and not when a lock is needed.
        locks.find();
        Function<String, NamedLock> named = name -> new NamedLock(transactions, locks, name);
        RowReader reader = new RowReader(tables, limits);
        TakenRows taken = new TakenRows();
        FailureMemory failures = new FailureMemory(tables);
        LeaderLeases leases = new LeaderLeases(transactions, named.apply(leader), tables, failures);
        StoreParts parts = new StoreParts(
                tables,
                new LeaderClaims(new Claims.Parts<>(tables, reader, transactions, taken), leases),
                taken,
                failures,
                Duration.ZERO);
        return new ExistingStore(
                parts,
                new StoreSettings(limits, 1, EnumSet.allOf(Ordering.class), new WakeSignal()),
                transactions,
                new Ownership(leases, lease -> {}),
                new Operations(
                        new ExistingDeadLetters(tables, reader, transactions, parts.failures()),
                        new ExistingMaintenance(tables, transactions, named, Optional.empty()),
                        new ExistingPauses(transactions, Optional.of(locks))));
    }
}
