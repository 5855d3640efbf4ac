package dev.postrider.service.doctor;

import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.TableProbe;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.StoredSchema;
import java.util.List;

/** Looks whether this user may do to each table what a relay does. */
final class PrivilegeCheck implements Check {

    private final ExaminedOutbox outbox;
    private final OutboxDatabase database;

    PrivilegeCheck(ExaminedOutbox outbox, OutboxDatabase database) {
        this.outbox = outbox;
        this.database = database;
    }

    @Override
    public String name() {
        return "privileges";
    }

    @Override
    public List<Finding> run() {
        boolean keepsDelivered = database.tables(outbox.store())
                .stored()
                .map(StoredSchema::audit)
                .filter(audit -> audit != AuditTrail.NONE)
                .isPresent();
        return new TableProbe(database.dataSource(), outbox.store())
                .problems(keepsDelivered).stream()
                        .map(problem -> Finding.error(
                                problem,
                                "a relay of this user cannot work",
                                "GRANT this user what is missing, or restore the table (postrider schema print)"))
                        .toList();
    }
}
