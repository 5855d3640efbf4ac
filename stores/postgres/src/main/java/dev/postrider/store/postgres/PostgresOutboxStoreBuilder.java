package dev.postrider.store.postgres;

import dev.postrider.message.MessageLimits;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcOutboxStore;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.MessageReader;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.SchemaException;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.StoredSchema;
import dev.postrider.store.jdbc.UnmanagedDataSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Collects the options of a {@link PostgresOutboxStore}; each setter refuses a bad value. Not thread-safe. */
public final class PostgresOutboxStoreBuilder {

    private final DataSource dataSource;
    private JdbcStoreOptions options = JdbcStoreOptions.defaults();

    PostgresOutboxStoreBuilder(DataSource dataSource) {
        this.dataSource = UnmanagedDataSource.of(Objects.requireNonNull(dataSource, "dataSource"));
    }

    /** The schema of the tables, which must exist; by default the first one of the connection's search path. */
    public PostgresOutboxStoreBuilder schema(String schema) {
        options = options.withSchema(schema);
        return this;
    }

    /** What the names of the tables begin with; default {@code outbox}. One database may hold several outboxes. */
    public PostgresOutboxStoreBuilder prefix(String prefix) {
        options = options.withPrefix(prefix);
        return this;
    }

    /** How many lanes, 1 to 1024; default 16. Fixed when the tables are created; 1 for a total order. */
    public PostgresOutboxStoreBuilder lanes(int lanes) {
        options = options.withLanes(lanes);
        return this;
    }

    /** What to do about the tables now; default {@link SchemaMode#VERIFY}. */
    public PostgresOutboxStoreBuilder schemaMode(SchemaMode mode) {
        options = options.withSchemaMode(mode);
        return this;
    }

    /** How large messages may be; default 1 MiB payload, 64 KiB headers. */
    public PostgresOutboxStoreBuilder limits(MessageLimits limits) {
        options = options.withLimits(limits);
        return this;
    }

    /** The type of the payload column, {@code bytea} or {@code json}; default {@link PayloadFormat#BINARY}. */
    public PostgresOutboxStoreBuilder payload(PayloadFormat format) {
        options = options.withPayload(format);
        return this;
    }

    /** Whether delivered messages are kept, in a plain or a partitioned table; default {@link AuditTrail#NONE}. */
    public PostgresOutboxStoreBuilder audit(AuditTrail audit) {
        options = options.withAudit(audit);
        return this;
    }

    /** The SQL that creates the tables with these options, for Flyway, Liquibase or a person. Does not need the server. */
    public String schemaSql() {
        return new PostgresSchema(dataSource, context()).sql();
    }

    /**
     * The SQL that upgrades tables of an older version, with the options they were created with. Does not need the server.
     *
     * @param from the version that the tables have
     */
    public String upgradeSql(int from) {
        return new PostgresSchema(dataSource, context()).upgradeSql(from);
    }

    /** What the tables with this schema and prefix were created with, for tools; empty when there are none. */
    public Optional<StoredSchema> storedSchema() {
        return new PostgresSchema(dataSource, context()).stored();
    }

    /**
     * Creates or checks the tables as {@link #schemaMode} says, and returns the store.
     *
     * @throws SchemaException if tables or server are not what the store needs
     */
    public OutboxStore build() {
        JdbcContext context = context();
        new PostgresSchema(dataSource, context).prepare();
        SnapshotReader reader = new SnapshotReader(context);
        MessageReader messages = new MessageReader(context.dialect(), context.limits());
        ScanQueries ofAnyText = new ScanQueries(context.tables(), messages);
        ScanQueries ofUnicode = new ScanQueries(context.tables(), messages.ofUnicode());
        Supplier<LaneScan> scans = () -> new PostgresLaneScan(reader, ofUnicode, ofAnyText);
        return new JdbcOutboxStore(context, ordering -> new PostgresRelayStore(context, scans, ordering));
    }

    private JdbcContext context() {
        return new JdbcContext(dataSource, new PostgresDialect(options.payload()), options);
    }
}
