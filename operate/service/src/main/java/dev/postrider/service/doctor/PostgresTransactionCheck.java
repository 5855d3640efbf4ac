package dev.postrider.service.doctor;

import dev.postrider.internal.Readable;
import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks for transactions that have been open for long: they hold old snapshots, which keep dead rows alive. */
final class PostgresTransactionCheck implements Check {

    /** Of this database alone: others' snapshots do not matter to its tables. */
    private static final String SESSIONS = """
            SELECT pid, coalesce(usename, '') AS owner, coalesce(application_name, '') AS application, state,
                   extract(epoch FROM clock_timestamp() - xact_start)::bigint AS seconds
            FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
              AND (backend_xid IS NOT NULL OR backend_xmin IS NOT NULL)
              AND xact_start < clock_timestamp() - make_interval(secs => ?)
            ORDER BY xact_start LIMIT 5""";

    private static final String PREPARED = """
            SELECT gid, owner, extract(epoch FROM clock_timestamp() - prepared)::bigint AS seconds
            FROM pg_prepared_xacts
            WHERE database = current_database() AND prepared < clock_timestamp() - make_interval(secs => ?)
            ORDER BY prepared LIMIT 5""";

    private static final String SEES_ALL = """
            SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS sees,
                   (SELECT count(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND usename <> current_user) AS others""";

    private final Questions questions;
    private final double oldAfterSeconds;

    PostgresTransactionCheck(Questions questions, Duration oldAfter) {
        this.questions = questions;
        this.oldAfterSeconds = oldAfter.toMillis() / 1000.0;
    }

    @Override
    public String name() {
        return "long transactions and old snapshots";
    }

    @Override
    public List<Finding> run() throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (Row row : questions.rows(SESSIONS, oldAfterSeconds)) {
            findings.add(Finding.warning(
                    "session %s (user %s%s) has a transaction that is %s old and %s"
                            .formatted(
                                    row.text("pid"),
                                    row.text("owner"),
                                    row.text("application").isEmpty() ? "" : ", " + row.text("application"),
                                    Readable.time(Duration.ofSeconds(row.number("seconds"))),
                                    row.text("state")),
                    "delivery goes on, but dead rows cannot be cleared away, and what it enqueued is not sent before it ends",
                    "Find out why it is open; end it with SELECT pg_terminate_backend(" + row.text("pid") + ")"));
        }
        for (Row row : questions.rows(PREPARED, oldAfterSeconds)) {
            findings.add(Finding.warning(
                    "transaction '%s' was prepared %s ago and not ended"
                            .formatted(row.text("gid"), Readable.time(Duration.ofSeconds(row.number("seconds")))),
                    "it holds its locks and an old snapshot, also over restarts",
                    "COMMIT PREPARED or ROLLBACK PREPARED, as its transaction manager says"));
        }
        Row sight = questions.row(SEES_ALL);
        if (!sight.isOn("sees") && sight.number("others") > 0) {
            findings.add(Finding.note(
                    "this user may not see the transactions of %s of others"
                            .formatted(Readable.count(sight.number("others"), "session")),
                    "a long one among them was not noticed",
                    "GRANT pg_read_all_stats to the user of the doctor"));
        }
        return findings;
    }
}
