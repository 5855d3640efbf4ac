package dev.postrider.service.database;

import dev.postrider.service.config.ConfigException;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.existing.TableImport;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.SchemaException;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.StoredSchema;
import dev.postrider.store.mysql.Flavor;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.mysql.MysqlOutboxStoreBuilder;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.store.postgres.PostgresOutboxStoreBuilder;
import java.util.Optional;
import javax.sql.DataSource;

/** The tables of one outbox in one of the databases: calls the builder of the right store. Thread-safe. */
public final class OutboxTables {

    private final DatabaseKind kind;
    private final DataSource dataSource;
    private final StoreSettings settings;

    public OutboxTables(DatabaseKind kind, DataSource dataSource, StoreSettings settings) {
        this.kind = kind;
        this.dataSource = dataSource;
        this.settings = settings;
    }

    /** The SQL that creates the tables. Needs no server. */
    public static String sql(DatabaseKind kind, StoreSettings settings) {
        OutboxTables tables = new OutboxTables(kind, NoDatabase.dataSource(), settings);
        JdbcStoreOptions options = settings.given();
        return switch (kind) {
            case POSTGRES -> tables.postgres(options).schemaSql();
            case H2 -> tables.h2(options).schemaSql();
            case MYSQL -> tables.mysql(options).schemaSql(Flavor.MYSQL);
            case MARIADB -> tables.mysql(options).schemaSql(Flavor.MARIADB);
            case TIDB -> tables.mysql(options).schemaSql(Flavor.TIDB);
        };
    }

    /**
     * The SQL that upgrades tables of an older version. Needs no server.
     *
     * @throws IllegalArgumentException if there is no such version, or nothing has changed since
     */
    public static String upgradeSql(DatabaseKind kind, StoreSettings settings, int from) {
        OutboxTables tables = new OutboxTables(kind, NoDatabase.dataSource(), settings);
        JdbcStoreOptions options = settings.given();
        return switch (kind) {
            case POSTGRES -> tables.postgres(options).upgradeSql(from);
            case H2 -> tables.h2(options).upgradeSql(from);
            case MYSQL -> tables.mysql(options).upgradeSql(Flavor.MYSQL, from);
            case MARIADB -> tables.mysql(options).upgradeSql(Flavor.MARIADB, from);
            case TIDB -> tables.mysql(options).upgradeSql(Flavor.TIDB, from);
        };
    }

    /** What the tables were created with; empty when there are none. */
    public Optional<StoredSchema> stored() {
        if (settings.isExisting()) {
            throw new ConfigException(
                    "The tables of this outbox are of others, and Postrider neither creates nor upgrades"
                            + " them; see 'schema print --preset'");
        }
        JdbcStoreOptions options = settings.given();
        return switch (kind) {
            case POSTGRES -> postgres(options).storedSchema();
            case H2 -> h2(options).storedSchema();
            case MYSQL, MARIADB, TIDB -> mysql(options).storedSchema();
        };
    }

    /** Opens the outbox as its settings say. */
    public OutboxStore open() {
        return open(settings.given().schemaMode());
    }

    /** Opens the outbox, doing about its tables what is said here. */
    public OutboxStore open(SchemaMode mode) {
        try {
            return settings.existing()
                    .map(existing -> existing.open(dataSource, settings.limits()))
                    .orElseGet(() -> build(options().withSchemaMode(mode)));
        } catch (SchemaException wrong) {
            throw settings.nameInFile()
                    .map(name -> wrong.getMessage().replaceFirst("^Outbox \\S+", "Outbox " + name))
                    .map(SchemaException::new)
                    .orElse(wrong);
        }
    }

    /** Whether the tables are of others; then only what the store tells is known of them. */
    public boolean areExisting() {
        return settings.isExisting();
    }

    /** How many rows came and went. */
    public TableCounters counters() {
        return TableCounters.of(kind, dataSource, settings);
    }

    /** Pages through messages; not of existing tables. */
    public MessageBrowser messages(OutboxStore store) {
        return new MessageBrowser(dataSource, kind, settings, store);
    }

    /** What is known of relays, pauses and operations; not of existing tables. */
    public OperatorTables operators() {
        return new OperatorTables(dataSource, kind, settings);
    }

    /** What moves the undelivered rows of an existing table into an outbox of Postrider's own. */
    public TableImport.Builder importer() {
        return settings.existing()
                .orElseThrow(() -> new ConfigException(
                        "The outbox to import from is Postrider's own; give it a section 'existing'"))
                .importer(dataSource);
    }

    private JdbcStoreOptions options() {
        return stored().map(settings::completedBy).orElseGet(settings::given);
    }

    private OutboxStore build(JdbcStoreOptions options) {
        return switch (kind) {
            case POSTGRES -> postgres(options).build();
            case H2 -> h2(options).build();
            case MYSQL, MARIADB, TIDB -> mysql(options).build();
        };
    }

    private PostgresOutboxStoreBuilder postgres(JdbcStoreOptions options) {
        PostgresOutboxStoreBuilder builder = PostgresOutboxStore.builder(dataSource)
                .prefix(options.prefix())
                .lanes(options.lanes())
                .schemaMode(options.schemaMode())
                .limits(options.limits())
                .payload(options.payload())
                .audit(options.audit());
        options.schema().ifPresent(builder::schema);
        return builder;
    }

    private MysqlOutboxStoreBuilder mysql(JdbcStoreOptions options) {
        MysqlOutboxStoreBuilder builder = MysqlOutboxStore.builder(dataSource)
                .prefix(options.prefix())
                .lanes(options.lanes())
                .schemaMode(options.schemaMode())
                .limits(options.limits())
                .payload(options.payload())
                .audit(options.audit())
                .scanMode(settings.scanMode());
        options.schema().ifPresent(builder::schema);
        return builder;
    }

    private H2OutboxStore.Builder h2(JdbcStoreOptions options) {
        if (options.payload() != PayloadFormat.BINARY) {
            throw new ConfigException("payload is json, but H2 stores payloads as bytes only; leave it out");
        }
        H2OutboxStore.Builder builder = H2OutboxStore.builder(dataSource)
                .prefix(options.prefix())
                .lanes(options.lanes())
                .schemaMode(options.schemaMode())
                .limits(options.limits())
                .audit(options.audit());
        options.schema().ifPresent(builder::schema);
        return builder;
    }
}
