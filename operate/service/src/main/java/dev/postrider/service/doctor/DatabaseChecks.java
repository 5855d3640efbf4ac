package dev.postrider.service.doctor;

import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.Check;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Chooses what is looked at in a database. */
final class DatabaseChecks {

    private final Patient patient;
    private final OutboxDatabase database;
    private final Questions questions;
    private final Duration oldAfter;
    private final Clock clock;

    DatabaseChecks(Patient patient, OutboxDatabase database, Duration oldAfter, Clock clock) {
        this.patient = patient;
        this.database = database;
        this.questions = new Questions(database.dataSource());
        this.oldAfter = oldAfter;
        this.clock = clock;
    }

    List<Check> all() {
        DatabaseKind kind = database.settings().kind();
        List<Check> checks = new ArrayList<>();
        SchemaCheck schema = new SchemaCheck(patient, database);
        boolean hasTables = schema.hasTables();
        boolean hasOurTables = hasTables && !patient.store().isExisting();
        checks.add(schema);
        if (hasOurTables) {
            checks.add(new PrivilegeCheck(patient, database));
        }
        if (hasTables) {
            checks.add(new LaneCheck(patient, database));
            checks.add(new WaitingCheck(patient, database));
        }
        checks.add(new IsolationCheck(database.dataSource()));
        checks.add(new ClockCheck(kind, database.dataSource(), clock));
        checks.add(new PoolCheck(kind, patient, questions));
        checks.addAll(hasOurTables ? ofServerAndTables(kind) : ofServer(kind));
        return checks;
    }

    /** Of missing tables, and of tables of others, nothing is known that could be wrong. */
    private List<Check> ofServer(DatabaseKind kind) {
        return switch (kind) {
            case POSTGRES ->
                List.of(new PostgresTransactionCheck(questions, oldAfter), new PostgresDurabilityCheck(questions));
            case MYSQL, MARIADB, TIDB -> {
                MysqlVariables variables = new MysqlVariables(questions);
                yield List.of(
                        new MysqlPacketCheck(variables, patient.store().limits()), new MysqlDurabilityCheck(variables));
            }
            case H2 -> List.of();
        };
    }

    private List<Check> ofServerAndTables(DatabaseKind kind) {
        return switch (kind) {
            case POSTGRES -> postgres();
            case MYSQL, MARIADB, TIDB -> mysql();
            case H2 -> List.of(new H2StorageCheck(questions, patient.database()));
        };
    }

    private List<Check> postgres() {
        return List.of(
                new PostgresDriverCheck(patient.database().url()),
                new PostgresVacuumCheck(questions, patient.store()),
                new PostgresTransactionCheck(questions, oldAfter),
                new PostgresDurabilityCheck(questions));
    }

    private List<Check> mysql() {
        MysqlVariables variables = new MysqlVariables(questions);
        return List.of(
                new MysqlPacketCheck(variables, patient.store().limits()),
                new MysqlWritersCheck(variables, patient.store().scanMode()),
                new MysqlTransactionCheck(questions, variables, patient.store(), oldAfter),
                new MysqlStatisticsCheck(questions, variables, patient.store()),
                new MysqlDurabilityCheck(variables),
                new TidbCheck(questions, variables, patient.store()));
    }
}
