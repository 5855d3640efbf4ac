package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.message.Lane;
import dev.postrider.message.MessageLimits;
import java.util.Objects;
import java.util.Optional;

/**
 * The options that all JDBC stores have. Each store's builder translates into this record.
 *
 * @param schema the schema (on MySQL: the database) of the tables; by default that of the connection
 * @param prefix what the names of the tables begin with, at most 40 letters, digits and underscores; default {@code outbox}
 * @param lanes how many lanes, 1 to 1024; default 16. Fixed when the tables are created
 * @param schemaMode what to do about the tables at start; default {@link SchemaMode#VERIFY}
 * @param limits how large messages may be; default 1 MiB payload, 64 KiB headers
 * @param payload the type of the payload column; default {@link PayloadFormat#BINARY}
 * @param audit whether delivered messages are kept; default {@link AuditTrail#NONE}
 */
@Internal
public record JdbcStoreOptions(
        Optional<String> schema,
        String prefix,
        int lanes,
        SchemaMode schemaMode,
        MessageLimits limits,
        PayloadFormat payload,
        AuditTrail audit) {

    public JdbcStoreOptions {
        Objects.requireNonNull(schemaMode, "schemaMode");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(audit, "audit");
        schema.ifPresent(TableNames::checkedSchema);
        TableNames.checkedPrefix(Objects.requireNonNull(prefix, "prefix"));
        if (lanes < 1 || lanes > Lane.MAX_COUNT) {
            throw new IllegalArgumentException("lanes is " + lanes + ", expected 1 to " + Lane.MAX_COUNT);
        }
    }

    public static JdbcStoreOptions defaults() {
        return new JdbcStoreOptions(
                Optional.empty(),
                "outbox",
                16,
                SchemaMode.VERIFY,
                MessageLimits.defaults(),
                PayloadFormat.BINARY,
                AuditTrail.NONE);
    }

    public JdbcStoreOptions withSchema(String value) {
        return new JdbcStoreOptions(Optional.of(value), prefix, lanes, schemaMode, limits, payload, audit);
    }

    public JdbcStoreOptions withPrefix(String value) {
        return new JdbcStoreOptions(schema, value, lanes, schemaMode, limits, payload, audit);
    }

    public JdbcStoreOptions withLanes(int value) {
        return new JdbcStoreOptions(schema, prefix, value, schemaMode, limits, payload, audit);
    }

    public JdbcStoreOptions withSchemaMode(SchemaMode value) {
        return new JdbcStoreOptions(schema, prefix, lanes, value, limits, payload, audit);
    }

    public JdbcStoreOptions withLimits(MessageLimits value) {
        return new JdbcStoreOptions(schema, prefix, lanes, schemaMode, value, payload, audit);
    }

    public JdbcStoreOptions withPayload(PayloadFormat value) {
        return new JdbcStoreOptions(schema, prefix, lanes, schemaMode, limits, value, audit);
    }

    public JdbcStoreOptions withAudit(AuditTrail value) {
        return new JdbcStoreOptions(schema, prefix, lanes, schemaMode, limits, payload, value);
    }

    /** Whether delivered messages are kept. */
    public boolean keepsDelivered() {
        return audit != AuditTrail.NONE;
    }
}
