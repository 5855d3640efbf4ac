package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.util.List;
import java.util.Map;

/**
 * The tables of an outbox in one database.
 *
 * @param meta the statements that create the meta table, before all others
 * @param migrations in order of version; the first creates everything else but the audit trail
 * @param auditTrails the statements that create the audit trail, for each form that the database can have
 */
@Internal
public record SchemaDefinition(
        List<String> meta, List<Migration> migrations, Map<AuditTrail, List<String>> auditTrails) {

    public SchemaDefinition {
        meta = List.copyOf(meta);
        migrations = List.copyOf(migrations);
        auditTrails = Map.copyOf(auditTrails);
    }

    int version() {
        return migrations.get(migrations.size() - 1).version();
    }

    /**
     * The version from which on stores work on these tables: migrations within a major version only add. Raise it with the one that
     * does not.
     */
    int readableFrom() {
        return 1;
    }

    List<String> auditTrail(AuditTrail form) {
        if (form == AuditTrail.NONE) {
            return List.of();
        }
        List<String> statements = auditTrails.get(form);
        if (statements == null) {
            throw new IllegalArgumentException(
                    "audit is " + form + ", but this database has only " + auditTrails.keySet() + " and NONE");
        }
        return statements;
    }
}
