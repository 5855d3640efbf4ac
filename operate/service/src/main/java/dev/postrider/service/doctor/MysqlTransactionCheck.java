package dev.postrider.service.doctor;

import dev.postrider.internal.Readable;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks for transactions that have been open for long. One that has written to the hot table is named as such: relays read over
 * and over what was written after it, because it may still commit with lower numbers.
 */
final class MysqlTransactionCheck implements Check {

    /** InnoDB tells the start in the time zone of the server, whatever that of the session is. */
    private static final String OPEN = """
            SELECT trx_id, trx_mysql_thread_id AS thread, trx_rows_modified AS modified,
                   TIMESTAMPDIFF(SECOND, trx_started, CONVERT_TZ(UTC_TIMESTAMP(), '+00:00', 'SYSTEM')) AS seconds
            FROM information_schema.innodb_trx
            WHERE trx_mysql_thread_id <> CONNECTION_ID()
            ORDER BY trx_started LIMIT 50""";

    /** Every transaction that wrote to a table keeps an intention lock on it until it ends. */
    private static final String WRITERS = """
            SELECT DISTINCT ENGINE_TRANSACTION_ID AS trx_id FROM performance_schema.data_locks
            WHERE LOCK_TYPE = 'TABLE' AND OBJECT_NAME = ? AND OBJECT_SCHEMA = COALESCE(?, DATABASE())""";

    private final Questions questions;
    private final MysqlVariables variables;
    private final StoreSettings store;
    private final Duration oldAfter;

    MysqlTransactionCheck(Questions questions, MysqlVariables variables, StoreSettings store, Duration oldAfter) {
        this.questions = questions;
        this.variables = variables;
        this.store = store;
        this.oldAfter = oldAfter;
    }

    @Override
    public String name() {
        return "long transactions and old snapshots";
    }

    @Override
    public List<Finding> run() throws SQLException {
        if (variables.isTidb()) {
            return List.of();
        }
        List<Row> open = questions.rows(OPEN).stream()
                .filter(row -> row.number("seconds") >= oldAfter.toSeconds())
                .toList();
        Set<String> writers = open.isEmpty() || variables.isMariadb() ? Set.of() : writers();
        List<Finding> findings = new ArrayList<>();
        open.stream().limit(5).forEach(row -> findings.add(finding(row, writers.contains(row.text("trx_id")))));
        return findings;
    }

    /** MariaDB has no such table. Where it is switched off or may not be read, nobody is called a writer. */
    private Set<String> writers() {
        Set<String> writers = new HashSet<>();
        try {
            String schema = store.schemaName().orElse(null);
            questions.rows(WRITERS, store.prefixName(), schema).forEach(row -> writers.add(row.text("trx_id")));
        } catch (SQLException notAllowed) {
            // The transaction itself is reported all the same.
        }
        return writers;
    }

    private Finding finding(Row row, boolean writesOutbox) {
        String what = "connection %s has a transaction that is %s old and has changed %s"
                .formatted(
                        row.text("thread"),
                        Readable.time(Duration.ofSeconds(row.number("seconds"))),
                        Readable.count(row.number("modified"), "row"));
        String fix = "Find out why it is open; end it with KILL " + row.text("thread");
        if (writesOutbox) {
            return Finding.warning(
                    what + ", some of them in the outbox",
                    "what it enqueued is not sent before it ends, and until then every fetch reads what was written since",
                    fix);
        }
        return Finding.warning(
                what,
                row.number("modified") > 0
                        ? "if it has enqueued, its messages wait, and every fetch reads what was written since; deleted rows"
                                + " are not purged"
                        : "deleted rows cannot be purged while its snapshot is in use, so scans get slower",
                fix);
    }
}
