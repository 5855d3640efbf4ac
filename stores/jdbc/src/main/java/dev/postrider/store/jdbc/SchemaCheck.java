package dev.postrider.store.jdbc;

import java.util.Map;

/** Compares the stored facts with what the store needs. Every refusal says what to run or to change. */
final class SchemaCheck {

    private final JdbcStoreOptions options;
    private final int version;
    private final String outbox;
    private final TableName meta;

    SchemaCheck(JdbcContext context, int version) {
        this.options = context.options();
        this.version = version;
        this.outbox = "Outbox " + context.tables().outboxName();
        this.meta = context.tables().meta();
    }

    SchemaException missing() {
        return new SchemaException(outbox + " has no tables (" + meta + " does not exist). Create them with "
                + "schemaMode(CREATE), or run the SQL that schemaSql() returns");
    }

    /** For an outbox that is used as it is. */
    void fits(Map<String, String> stored) {
        int present = storedVersion(stored);
        if (present < version) {
            throw new SchemaException(outbox + " has schema version " + present + ", this store needs " + version
                    + ". Upgrade it with schemaMode(CREATE), or run the newer migrations");
        }
        canUpgrade(stored);
        if (options.keepsDelivered() && audit(stored).equals(AuditTrail.NONE.name())) {
            throw new SchemaException(
                    outbox + " has no audit trail. Add one with schemaMode(CREATE), or open it " + "without audit");
        }
    }

    /** For an outbox that may be missing or older, or newer in a way that older stores can live with. */
    void canUpgrade(Map<String, String> stored) {
        int present = storedVersion(stored);
        int readableFrom = Integer.parseInt(stored.getOrDefault(SchemaFacts.READABLE_FROM, String.valueOf(present)));
        if (present > version && readableFrom > version) {
            throw new SchemaException(outbox + " has schema version " + present + ", this store knows only " + version
                    + ". Use a newer version of Postrider here as well");
        }
        requireSame(stored, SchemaFacts.LANES, String.valueOf(options.lanes()), "lanes");
        requireSame(stored, SchemaFacts.PAYLOAD, options.payload().name(), "payload");
        if (options.keepsDelivered() && !audit(stored).equals(AuditTrail.NONE.name())) {
            requireSame(stored, SchemaFacts.AUDIT, options.audit().name(), "audit");
        }
    }

    private void requireSame(Map<String, String> stored, String fact, String wanted, String option) {
        String present = stored.getOrDefault(fact, wanted);
        if (!present.equals(wanted)) {
            throw new SchemaException(
                    "%s was created with %s %s, but the store was given %s. It never changes in place: set %s to %s, or move to a new outbox with another prefix"
                            .formatted(outbox, option, present, wanted, option, present));
        }
    }

    private static String audit(Map<String, String> stored) {
        return stored.getOrDefault(SchemaFacts.AUDIT, AuditTrail.NONE.name());
    }

    private static int storedVersion(Map<String, String> stored) {
        return Integer.parseInt(stored.getOrDefault(SchemaFacts.VERSION, "0"));
    }
}
