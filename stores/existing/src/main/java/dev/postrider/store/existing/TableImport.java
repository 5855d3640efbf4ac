package dev.postrider.store.existing;

import dev.postrider.internal.Range;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.spi.StoreException;
import dev.postrider.store.existing.RowReader.ReadRow;
import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Moves the undelivered rows of an existing table into an outbox of Postrider, in their order: the way to switch without losing an event.
 *
 * <p>Stop the relays of the table first, and let services write to the outbox; then run it until nothing is left. Rows go in batches; each
 * batch is in the outbox and marked as delivered in the table, in one transaction where both are in one database, else one after the other,
 * with a dedup key that keeps a repeated batch from being written twice. So it can be interrupted and run again at any time. Attempts are
 * counted from the start. Not thread-safe.
 *
 * <pre>{@code
 * ImportReport report = TableImport.from(dataSource, Preset.EVENT_OUTBOX.mapping()).into(outboxStore).run();
 * }</pre>
 */
public final class TableImport {

    private static final long MAX_BYTES = 16L << 20;
    private static final int MOST_UNREADABLE = 10_000;

    private final DataSource source;
    private final Rows rows;
    private final TransactionRunner transactions;
    private final ImportGuard guard;
    private final DataSource target;
    private final OutboxStore outbox;
    private final int batchRows;
    private final Set<RowKey> unreadable = new HashSet<>();
    private long known;

    private TableImport(Builder builder, OutboxStore outbox) {
        this.source = builder.source.dataSource();
        this.rows = builder.source.rows();
        this.transactions = builder.source.transactions();
        this.guard = builder.source.guard();
        this.target = builder.target.orElse(source);
        this.outbox = Objects.requireNonNull(outbox, "outbox");
        this.batchRows = builder.batchRows;
    }

    /**
     * An import from the table that the mapping describes.
     *
     * @throws MappingException if they do not fit
     */
    public static Builder from(DataSource source, TableMapping mapping) {
        return from(StatusOutboxStore.builder(source, mapping));
    }

    /**
     * An import from the table of this store. If the store has a leader, it holds the leader's lease while it runs, and is refused while a
     * relay does.
     *
     * @throws MappingException if table and mapping do not fit
     */
    public static Builder from(StatusStoreBuilder table) {
        return new Builder(table.importSource());
    }

    /**
     * An import from tables between which rows move. It holds the leader lease while it runs, and is refused while a relay does.
     *
     * @throws MappingException if they are not as they must be
     */
    public static Builder from(MoveStoreBuilder tables) {
        TransactionRunner transactions = tables.transactions().unlimited();
        return new Builder(
                new Source(tables.dataSource(), tables.rows(transactions), transactions, tables.guard(transactions)));
    }

    /** Where rows come from. */
    record Source(DataSource dataSource, Rows rows, TransactionRunner transactions, ImportGuard guard) {}

    /** Says what {@link #run} would do now: reads every undelivered row, and neither changes nor locks anything. */
    public ImportReport dryRun() {
        Counted pending = count(Place.PENDING);
        Counted waiting = count(Place.WAITING);
        long seen = pending.readable + pending.unreadable + waiting.readable + waiting.unreadable;
        long claimed = Math.max(0, undelivered() - seen);
        long stuck = pending.unreadable + waiting.unreadable;
        return new ImportReport(pending.readable + waiting.readable, stuck, stuck + claimed, true, 0, leaders());
    }

    private Counted count(Place place) {
        Counted counted = new Counted();
        Optional<RowKey> last = Optional.empty();
        do {
            Optional<RowKey> after = last;
            Page page = transactions.inTransaction(
                    "look at undelivered rows", connection -> page(connection, place, after));
            page.rows().forEach(counted::add);
            last = page.last();
        } while (last.isPresent());
        return counted;
    }

    private Page page(Connection connection, Place place, Optional<RowKey> after) throws SQLException {
        List<Head> heads =
                RowReader.fitting(rows.after(connection, place, after, batchRows), Head::bytes, batchRows, MAX_BYTES);
        Optional<RowKey> last = heads.stream().reduce((first, second) -> second).map(Head::key);
        return new Page(reader().read(connection, place, heads), last);
    }

    private record Page(List<ReadRow> rows, Optional<RowKey> last) {}

    private long undelivered() {
        return transactions.inTransaction(
                "count what is left",
                connection ->
                        rows.count(connection, Integer.MAX_VALUE).undelivered().rows());
    }

    private RowReader reader() {
        return new RowReader(rows, outbox.limits());
    }

    /** Moves all that can be moved. */
    public ImportReport run() {
        known = 0;
        returnWaiting();
        long imported = 0;
        int batch;
        do {
            batch = isOneDatabase() ? moveInOneTransaction() : moveInTwoSteps();
            imported += batch;
        } while (batch > 0);
        transactions.run("release the leader lease", guard::leave);
        return new ImportReport(imported, unreadable.size(), undelivered(), false, known, leaders());
    }

    private Set<String> leaders() {
        return transactions.inTransaction("look for leaders", guard::leaders);
    }

    private void returnWaiting() {
        int returned;
        do {
            returned = transactions.inTransaction("return waiting rows", connection -> {
                guard.enter(connection);
                return rows.returnWaiting(connection, batchRows);
            });
        } while (returned > 0);
    }

    private boolean isOneDatabase() {
        return source == target;
    }

    private int moveInOneTransaction() {
        return transactions.inTransaction("import rows", connection -> {
            guard.enter(connection);
            List<ReadRow> batch = next(connection);
            outbox.insert(connection, batch.stream().map(TableImport::message).toList());
            rows.apply(connection, delivered(batch), Optional.empty());
            return batch.size();
        });
    }

    /** First into the outbox: a crash in between repeats the batch, and its dedup keys are known by then. */
    private int moveInTwoSteps() {
        return transactions.inTransaction("import rows", connection -> {
            guard.enter(connection);
            List<ReadRow> batch = next(connection);
            write(batch.stream().map(this::withDedupKey).toList());
            rows.apply(connection, delivered(batch), Optional.empty());
            return batch.size();
        });
    }

    private void write(List<OutboxMessage> messages) {
        try (Connection connection = target.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                int written = outbox.insert(connection, messages).size();
                connection.commit();
                known += messages.size() - written;
            } catch (SQLException | RuntimeException failure) {
                connection.rollback();
                throw failure;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException error) {
            throw new StoreException(
                    "Could not import into %s: %s".formatted(outbox.name(), error.getMessage()), error);
        }
    }

    /** The next readable rows, locked; goes on while only unreadable ones are found. */
    private List<ReadRow> next(Connection connection) throws SQLException {
        while (true) {
            List<Head> heads = RowReader.fitting(
                    rows.undelivered(connection, batchRows, unreadable), Head::bytes, batchRows, MAX_BYTES);
            List<ReadRow> readable = new ArrayList<>();
            for (ReadRow row : reader().read(connection, Place.PENDING, heads)) {
                if (row.message().isPresent()) {
                    readable.add(row);
                } else {
                    unreadable.add(row.head().key());
                }
            }
            refuseTooManyUnreadable();
            if (!readable.isEmpty() || heads.isEmpty()) {
                return readable;
            }
        }
    }

    /** Each of them is named in every statement. */
    private void refuseTooManyUnreadable() {
        if (unreadable.size() > MOST_UNREADABLE) {
            throw new StoreException(
                    "More than %d rows of %s are no messages; compare the mapping with the table, or delete them"
                            .formatted(MOST_UNREADABLE, rows.name()));
        }
    }

    private static OutboxMessage message(ReadRow row) {
        return row.message().orElseThrow();
    }

    private static Map<RowKey, Outcome> delivered(List<ReadRow> batch) {
        return Rows.allDelivered(batch.stream().map(row -> row.head().key()).toList());
    }

    private OutboxMessage withDedupKey(ReadRow row) {
        OutboxMessage message = message(row);
        OutboxMessage.Builder copy = OutboxMessage.builder(message.topic())
                .id(message.id())
                .type(message.type())
                .headers(message.headers())
                .contentType(message.contentType())
                .payload(message.payload())
                .dedupKey(ImportKey.of(rows.name(), row.head().key(), message));
        message.key().ifPresent(copy::key);
        return copy.build();
    }

    /** Counts readable and other rows. */
    private static final class Counted {
        private long readable;
        private long unreadable;

        void add(ReadRow row) {
            if (row.message().isPresent()) {
                readable++;
            } else {
                unreadable++;
            }
        }
    }

    /** Collects the options of an import. Not thread-safe. */
    public static final class Builder {

        private final Source source;
        private Optional<DataSource> target = Optional.empty();
        private int batchRows = 500;

        private Builder(Source source) {
            this.source = source;
        }

        /** The database of the outbox, if it is another than the table's. Default: the same. */
        public Builder target(DataSource value) {
            this.target = Optional.of(value);
            return this;
        }

        /** How many rows go at once. Default: 500. Range: 1 to 10,000. */
        public Builder batchRows(int value) {
            this.batchRows = Range.of("batchRows", value, 1, 10_000);
            return this;
        }

        /** The import into this outbox. */
        public TableImport into(OutboxStore outbox) {
            return new TableImport(this, outbox);
        }
    }
}
