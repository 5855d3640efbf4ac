package dev.postrider.service.doctor;

import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.Check;
import dev.postrider.store.jdbc.SchemaMode;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Chooses what is looked at in a database. */
final class DatabaseChecks {

    private final ExaminedOutbox outbox;
    private final OutboxDatabase database;
    private final Questions questions;
    private final Duration oldAfter;
    private final Clock clock;

    DatabaseChecks(ExaminedOutbox outbox, OutboxDatabase database, Duration oldAfter, Clock clock) {
        this.outbox = outbox;
        this.database = database;
        this.questions = new Questions(database.dataSource());
        this.oldAfter = oldAfter;
        this.clock = clock;
    }

    List<Check> all() {
        DatabaseKind kind = database.settings().kind();
        List<Check> checks = new ArrayList<>();
        SchemaCheck schema = new SchemaCheck(outbox, database);
        boolean hasTables = schema.hasTables();
        boolean hasOurTables = hasTables && !outbox.store().isExisting();
        checks.add(schema);
        if (hasOurTables) {
            checks.add(new PrivilegeCheck(outbox, database));
        }
        if (hasTables) {
            checks.add(new LaneCheck(outbox, database));
            checks.add(new WaitingCheck(outbox, database));
            checks.addAll(ofTables());
        }
        checks.add(new IsolationCheck(database.dataSource()));
        checks.add(new ClockCheck(kind, database.dataSource(), clock));
        checks.add(new PoolCheck(kind, outbox, questions));
        checks.addAll(hasOurTables ? ofServerAndTables(kind) : ofServer(kind));
        return checks;
    }

    /** None where the tables cannot be opened: the check of the lanes says why, and the others still run. */
    private List<Check> ofTables() {
        try {
            return database.tables(outbox.store()).open(SchemaMode.NONE).checks();
        } catch (RuntimeException cannotBeOpened) {
            return List.of();
        }
    }

    /** Of missing tables, and of tables of others, nothing is known that could be wrong. */
    private List<Check> ofServer(DatabaseKind kind) {
        return switch (kind) {
            case POSTGRES ->
                List.of(new PostgresTransactionCheck(questions, oldAfter), new PostgresDurabilityCheck(questions));
            case MYSQL, MARIADB, TIDB -> {
                MysqlVariables variables = new MysqlVariables(questions);
                yield List.of(
                        new MysqlPacketCheck(variables, outbox.store().limits()), new MysqlDurabilityCheck(variables));
            }
            case H2 -> List.of();
        };
    }

    private List<Check> ofServerAndTables(DatabaseKind kind) {
        return switch (kind) {
            case POSTGRES -> postgres();
            case MYSQL, MARIADB, TIDB -> mysql();
            case H2 -> List.of(new H2StorageCheck(questions, outbox.database()));
        };
    }

    private List<Check> postgres() {
        return List.of(
                new PostgresDriverCheck(outbox.database().url()),
                new PostgresVacuumCheck(questions, outbox.store()),
                new PostgresTransactionCheck(questions, oldAfter),
                new PostgresDurabilityCheck(questions));
    }

    private List<Check> mysql() {
        MysqlVariables variables = new MysqlVariables(questions);
        return List.of(
                new MysqlPacketCheck(variables, outbox.store().limits()),
                new MysqlWritersCheck(variables, outbox.store().scanMode()),
                new MysqlTransactionCheck(questions, variables, outbox.store(), oldAfter),
                new MysqlStatisticsCheck(questions, variables, outbox.store()),
                new MysqlDurabilityCheck(variables),
                new TidbCheck(questions, variables, outbox.store()));
    }
}
