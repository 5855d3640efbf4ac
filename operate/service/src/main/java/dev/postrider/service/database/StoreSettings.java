package dev.postrider.service.database;

import dev.postrider.message.MessageLimits;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.StoredSchema;
import dev.postrider.store.mysql.ScanMode;
import java.util.List;
import java.util.Optional;

/**
 * The tables of one outbox. What is not given is taken from the tables as they were created, or is the store's default. Not
 * thread-safe.
 */
public final class StoreSettings {

    /** The keys of an outbox that describe its tables. */
    public static final List<Setting<StoreSettings>> SETTINGS = List.of(
            Setting.of(
                    "schema",
                    ValueFormat.TEXT,
                    "that of the connection",
                    "Schema of the tables; on MySQL the database.",
                    StoreSettings::schema),
            Setting.of("prefix", ValueFormat.TEXT, "What the names of the tables begin with.", StoreSettings::prefix),
            Setting.of(
                    "schema-mode",
                    ValueFormat.choice(SchemaMode.class),
                    "Whether to create missing tables at start, only to check them, or neither.",
                    StoreSettings::schemaMode),
            Setting.of(
                    "lanes",
                    ValueFormat.NUMBER,
                    "How many lanes, 1 to 1024. Fixed when the tables are created; tables that exist keep theirs.",
                    StoreSettings::lanes),
            Setting.of(
                    "payload",
                    ValueFormat.choice(PayloadFormat.class),
                    "The type of the payload column. Fixed when the tables are created; tables that exist keep theirs.",
                    StoreSettings::payload),
            Setting.of(
                    "audit",
                    ValueFormat.choice(AuditTrail.class),
                    "Whether delivered messages are kept, in a plain or a partitioned table; tables that exist keep theirs.",
                    StoreSettings::audit),
            Setting.of(
                    "max-payload-bytes",
                    ValueFormat.SIZE_FORM,
                    "A larger payload goes to the dead letters unread.",
                    (StoreSettings settings, Long value) -> settings.maxPayloadBytes(Math.toIntExact(value))),
            Setting.of(
                    "max-header-bytes",
                    ValueFormat.SIZE_FORM,
                    "Larger headers go to the dead letters unread.",
                    (StoreSettings settings, Long value) -> settings.maxHeaderBytes(Math.toIntExact(value))),
            Setting.of(
                    "scan-mode",
                    ValueFormat.choice(ScanMode.class),
                    "MySQL and MariaDB only: how the hot table is read, for clusters with several writing nodes.",
                    StoreSettings::scanMode));

    private JdbcStoreOptions options = JdbcStoreOptions.defaults();
    private Optional<Integer> lanes = Optional.empty();
    private Optional<PayloadFormat> payload = Optional.empty();
    private Optional<AuditTrail> audit = Optional.empty();
    private ScanMode scanMode = ScanMode.AUTO;
    private Optional<ExistingSettings> existing = Optional.empty();
    private Optional<String> nameInFile = Optional.empty();

    public StoreSettings schema(String value) {
        options = options.withSchema(value);
        return this;
    }

    public StoreSettings prefix(String value) {
        options = options.withPrefix(value);
        return this;
    }

    public StoreSettings schemaMode(SchemaMode value) {
        options = options.withSchemaMode(value);
        return this;
    }

    public StoreSettings lanes(int value) {
        options = options.withLanes(value);
        lanes = Optional.of(value);
        return this;
    }

    public StoreSettings payload(PayloadFormat value) {
        payload = Optional.of(value);
        return this;
    }

    public StoreSettings audit(AuditTrail value) {
        audit = Optional.of(value);
        return this;
    }

    public StoreSettings maxPayloadBytes(int value) {
        options = options.withLimits(new MessageLimits(value, options.limits().maxHeaderBytes()));
        return this;
    }

    public StoreSettings maxHeaderBytes(int value) {
        options = options.withLimits(new MessageLimits(options.limits().maxPayloadBytes(), value));
        return this;
    }

    public StoreSettings scanMode(ScanMode value) {
        scanMode = value;
        return this;
    }

    /** Relays tables that already exist, instead of an outbox of Postrider's own. */
    public StoreSettings existing(ExistingSettings value) {
        existing = Optional.of(value);
        return this;
    }

    /** What the file calls this outbox, for messages. */
    public StoreSettings nameInFile(String value) {
        nameInFile = Optional.of(value);
        return this;
    }

    Optional<String> nameInFile() {
        return nameInFile;
    }

    Optional<ExistingSettings> existing() {
        return existing;
    }

    /** Whether tables that are missing are created when the outbox is opened. */
    public boolean createsTables() {
        return !isExisting() && options.schemaMode() == SchemaMode.CREATE;
    }

    public SchemaMode schemaMode() {
        return options.schemaMode();
    }

    /** Whether the tables are of others; then names, lanes and formats of Postrider's own mean nothing. */
    public boolean isExisting() {
        return existing.isPresent();
    }

    public ScanMode scanMode() {
        return scanMode;
    }

    /** The limits of messages. */
    public MessageLimits limits() {
        return options.limits();
    }

    /** The schema of the tables, where one is set. */
    public Optional<String> schemaName() {
        return options.schema();
    }

    /** What the names of the tables begin with; the name of the hot table itself. */
    public String prefixName() {
        return options.prefix();
    }

    /**
     * A table as it stands in statements; its names were validated when they were set.
     *
     * @param quote the character in which this database puts names
     * @param suffix what follows the prefix, such as {@code _held}; empty for the hot table
     */
    public String table(String quote, String suffix) {
        return options.schema().map(name -> quote + name + quote + ".").orElse("")
                + quote
                + options.prefix()
                + suffix
                + quote;
    }

    /** What is given, before the tables are asked. */
    JdbcStoreOptions given() {
        return options.withPayload(payload.orElse(options.payload())).withAudit(audit.orElse(options.audit()));
    }

    /** What is given, and for the rest what the tables were created with. */
    JdbcStoreOptions completedBy(StoredSchema stored) {
        return options.withLanes(lanes.orElse(stored.lanes()))
                .withPayload(payload.orElse(stored.payload()))
                .withAudit(audit.orElse(stored.audit()));
    }
}
