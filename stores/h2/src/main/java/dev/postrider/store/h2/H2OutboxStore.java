package dev.postrider.store.h2;

import dev.postrider.message.MessageLimits;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcOutboxStore;
import dev.postrider.store.jdbc.JdbcRelayStore;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.Migration;
import dev.postrider.store.jdbc.Schema;
import dev.postrider.store.jdbc.SchemaDefinition;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.SchemaScripts;
import dev.postrider.store.jdbc.StoredSchema;
import dev.postrider.store.jdbc.UnmanagedDataSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Builds an outbox in H2.
 *
 * <p>Reads from the head at every fetch, which is exact and fast for the small backlogs of tests, demos and embedded uses; rows
 * of paused destinations are passed over again at every fetch.
 *
 * <pre>{@code
 * OutboxStore store = H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
 * }</pre>
 */
public final class H2OutboxStore {

    /** The longest {@code VARBINARY} that H2 has. */
    private static final int MAX_PAYLOAD_BYTES = 1_048_576;

    private static final int MAX_HEADER_BYTES = MAX_PAYLOAD_BYTES / 8;

    /** The rule of {@link dev.postrider.message.Lane} in SQL; four zero bytes in front make the number unsigned. */
    private static final String LANE = "CAST(MOD(CAST(X'00000000' || SUBSTRING(HASH('SHA-256', "
            + "COALESCE(STRINGTOUTF8(message_key), CAST(id AS VARBINARY))) FROM 1 FOR 4) AS BIGINT), %d) AS INTEGER)";

    private H2OutboxStore() {}

    /** An outbox in this database. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(Objects.requireNonNull(dataSource, "dataSource"));
    }

    static SchemaDefinition definition(JdbcContext context) {
        SchemaScripts scripts = new SchemaScripts(
                H2OutboxStore.class,
                context,
                Map.of(
                        "payload_type",
                        "BINARY VARYING(" + MAX_PAYLOAD_BYTES + ")",
                        "lane_expression",
                        LANE.formatted(context.options().lanes())));
        return new SchemaDefinition(
                scripts.read("meta.sql"),
                List.of(new Migration(1, scripts.read("V001__create_outbox.sql"))),
                Map.of(AuditTrail.PLAIN, scripts.read("audit_plain.sql")));
    }

    /** Collects options; not thread-safe. */
    public static final class Builder {

        private final DataSource dataSource;
        private JdbcStoreOptions options = JdbcStoreOptions.defaults();

        private Builder(DataSource dataSource) {
            this.dataSource = UnmanagedDataSource.of(dataSource);
        }

        /** The schema of the tables; by default that of the connection. Quoted, so its case matters. */
        public Builder schema(String schema) {
            options = options.withSchema(schema);
            return this;
        }

        /** What the names of the tables begin with; default {@code outbox}. */
        public Builder prefix(String prefix) {
            options = options.withPrefix(prefix);
            return this;
        }

        /** How many lanes, 1 to 1024; default 16. Fixed when the tables are created. */
        public Builder lanes(int lanes) {
            options = options.withLanes(lanes);
            return this;
        }

        /** What to do about the tables; default {@link SchemaMode#VERIFY}. */
        public Builder schemaMode(SchemaMode schemaMode) {
            options = options.withSchemaMode(schemaMode);
            return this;
        }

        /** How large messages may be; in H2 at most 1 MiB payload and 128 KiB headers. */
        public Builder limits(MessageLimits limits) {
            requireAtMost("maxPayloadBytes", limits.maxPayloadBytes(), MAX_PAYLOAD_BYTES);
            requireAtMost("maxHeaderBytes", limits.maxHeaderBytes(), MAX_HEADER_BYTES);
            options = options.withLimits(limits);
            return this;
        }

        /** Whether delivered messages are kept; default {@link AuditTrail#NONE}. H2 has no partitions. */
        public Builder audit(AuditTrail audit) {
            options = options.withAudit(audit);
            return this;
        }

        /** Prepares the tables as {@link #schemaMode} says and opens the outbox. */
        public OutboxStore build() {
            JdbcContext context = context();
            schema(context).prepare();
            return new JdbcOutboxStore(
                    context, ordering -> new JdbcRelayStore(context, () -> new H2LaneScan(context), ordering));
        }

        /** The plain SQL that creates everything at once, for Flyway, Liquibase or a person. */
        public String schemaSql() {
            return schema(context()).sql();
        }

        /**
         * The plain SQL that upgrades tables of an older version, with the options they were created with.
         *
         * @param from the version that the tables have
         */
        public String upgradeSql(int from) {
            return schema(context()).upgradeSql(from);
        }

        /** What the tables with this schema and prefix were created with, for tools; empty when there are none. */
        public Optional<StoredSchema> storedSchema() {
            return schema(context()).stored();
        }

        private JdbcContext context() {
            return new JdbcContext(dataSource, new H2Dialect(), options);
        }

        private Schema schema(JdbcContext context) {
            return new Schema(dataSource, context, definition(context));
        }

        private static void requireAtMost(String option, int value, int max) {
            if (value > max) {
                throw new IllegalArgumentException(option + " is " + value + ", H2 can store at most " + max);
            }
        }
    }
}
