package dev.postrider.store.mysql;

import static java.util.Objects.requireNonNull;

import dev.postrider.message.MessageLimits;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcOutboxStore;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.Schema;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.SqlAction;
import dev.postrider.store.jdbc.StoredSchema;
import dev.postrider.store.jdbc.UnmanagedDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Collects the options of a {@link MysqlOutboxStore}; each setter refuses a bad value. Not thread-safe. */
public final class MysqlOutboxStoreBuilder {

    private final DataSource dataSource;
    private JdbcStoreOptions options = JdbcStoreOptions.defaults();
    private ScanMode scanMode = ScanMode.AUTO;

    MysqlOutboxStoreBuilder(DataSource dataSource) {
        this.dataSource = UnmanagedDataSource.of(Objects.requireNonNull(dataSource, "dataSource"));
    }

    /** The database of the tables, which must exist; by default that of the connection. */
    public MysqlOutboxStoreBuilder schema(String schema) {
        options = options.withSchema(schema);
        return this;
    }

    /** What the names of the tables begin with; default {@code outbox}. One database may hold several outboxes. */
    public MysqlOutboxStoreBuilder prefix(String prefix) {
        options = options.withPrefix(prefix);
        return this;
    }

    /** How many lanes, 1 to 1024; default 16. Fixed when the tables are created; 1 for a total order. */
    public MysqlOutboxStoreBuilder lanes(int lanes) {
        options = options.withLanes(lanes);
        return this;
    }

    /** What to do about the tables now; default {@link SchemaMode#VERIFY}. */
    public MysqlOutboxStoreBuilder schemaMode(SchemaMode mode) {
        options = options.withSchemaMode(mode);
        return this;
    }

    /** How large messages may be; default 1 MiB payload, 64 KiB headers. Must fit into {@code max_allowed_packet}. */
    public MysqlOutboxStoreBuilder limits(MessageLimits limits) {
        options = options.withLimits(limits);
        return this;
    }

    /** The type of the payload column, bytes or checked JSON text; default {@link PayloadFormat#BINARY}. */
    public MysqlOutboxStoreBuilder payload(PayloadFormat format) {
        options = options.withPayload(format);
        return this;
    }

    /** Whether delivered messages are kept, in a plain or a partitioned table; default {@link AuditTrail#NONE}. */
    public MysqlOutboxStoreBuilder audit(AuditTrail audit) {
        options = options.withAudit(audit);
        return this;
    }

    /** How the hot table is read; default {@link ScanMode#AUTO}. To be changed for clusters with several writing nodes. */
    public MysqlOutboxStoreBuilder scanMode(ScanMode mode) {
        this.scanMode = Objects.requireNonNull(mode, "scanMode");
        return this;
    }

    /** The SQL that creates the tables with these options, for Flyway, Liquibase or a person. Asks the server what it is. */
    public String schemaSql() {
        ServerFacts server = readServer();
        return schema(context(server), server.flavor()).sql();
    }

    /** The SQL that creates the tables with these options in a server of this kind. Does not need the server. */
    public String schemaSql(Flavor flavor) {
        ServerFacts server = new ServerFacts(flavor.oldest(), Map.of());
        return schema(context(server), flavor).sql();
    }

    /**
     * The SQL that upgrades tables of an older version in a server of this kind, with the options they were created with. Does
     * not need the server.
     *
     * @param from the version that the tables have
     */
    public String upgradeSql(Flavor flavor, int from) {
        ServerFacts server = new ServerFacts(flavor.oldest(), Map.of());
        return schema(context(server), flavor).upgradeSql(from);
    }

    /** What the tables with this database and prefix were created with, for tools; empty when there are none. */
    public Optional<StoredSchema> storedSchema() {
        ServerFacts server = readServer();
        return schema(context(server), server.flavor()).stored();
    }

    /**
     * Checks the server, creates or checks the tables as {@link #schemaMode} says, and returns the store.
     *
     * @throws UnsupportedServerException if the server is too old or its settings do not fit
     * @throws dev.postrider.store.jdbc.SchemaException if the tables are not what the store needs
     */
    public OutboxStore build() {
        ServerFacts server = readServer();
        new ServerCheck(server).check(scanMode, options.limits());
        JdbcContext context = context(server);
        schema(context, server.flavor()).prepare();
        if (server.flavor() == Flavor.TIDB && options.schemaMode() != SchemaMode.NONE) {
            ask(connection -> TidbNumbers.check(connection, context));
        }
        boolean isBounded = scanMode != ScanMode.HEAD;
        HotTable hot = new HotTable(context, server.flavor());
        Supplier<LaneScan> scans = () -> new MysqlLaneScan(context, hot, isBounded, System::nanoTime);
        return new JdbcOutboxStore(context, ordering -> new MysqlRelayStore(context, server.flavor(), scans, ordering));
    }

    private ServerFacts readServer() {
        AtomicReference<ServerFacts> facts = new AtomicReference<>();
        ask(connection -> facts.set(ServerFacts.read(connection)));
        return requireNonNull(facts.get());
    }

    private void ask(SqlAction question) {
        try (Connection connection = dataSource.getConnection()) {
            question.run(connection);
        } catch (SQLException error) {
            throw new StoreException("Could not ask the server of outbox " + options.prefix() + " what it is", error);
        }
    }

    private JdbcContext context(ServerFacts server) {
        long packet = server.number("max_allowed_packet", Long.MAX_VALUE);
        long insertBytes = InsertSize.payloadBytes(packet, options.limits());
        return new JdbcContext(dataSource, MysqlDialect.of(server.version(), insertBytes), options);
    }

    private Schema schema(JdbcContext context, Flavor flavor) {
        return new Schema(dataSource, context, new MysqlSchema(context, flavor).definition());
    }
}
