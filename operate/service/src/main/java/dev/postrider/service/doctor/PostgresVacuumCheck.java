package dev.postrider.service.doctor;

import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks whether the dead rows of the hot table are cleared away, and counted at all. */
final class PostgresVacuumCheck implements Check {

    private static final long MANY_DEAD = 100_000;

    private static final String SQL = """
            SELECT current_setting('autovacuum') AS autovacuum, current_setting('track_counts') AS counts,
                   coalesce(array_to_string(c.reloptions, ','), '') AS options, s.n_dead_tup AS dead, s.n_live_tup AS live
            FROM pg_class c LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
            WHERE c.oid = to_regclass(?)""";

    private final Questions questions;
    private final StoreSettings store;

    PostgresVacuumCheck(Questions questions, StoreSettings store) {
        this.questions = questions;
        this.store = store;
    }

    @Override
    public String name() {
        return "vacuum and statistics of the hot table";
    }

    @Override
    public List<Finding> run() throws SQLException {
        Row row = questions.row(SQL, store.table("\"", ""));
        List<Finding> findings = new ArrayList<>();
        server(row, findings);
        table(row.text("options"), findings);
        if (row.number("dead") > MANY_DEAD) {
            findings.add(Finding.warning(
                    "%d dead rows beside %d live ones".formatted(row.number("dead"), row.number("live")),
                    "vacuum does not keep up, or may not clear them because of an old snapshot; the first fetch of a relay"
                            + " and counting get slow",
                    "End the old transactions below, then VACUUM " + store.table("\"", "")));
        }
        return findings;
    }

    private static void server(Row row, List<Finding> findings) {
        if (!row.isOn("autovacuum")) {
            findings.add(Finding.warning(
                    "autovacuum is off on this server",
                    "every delivered message leaves a dead row that nobody clears away",
                    "ALTER SYSTEM SET autovacuum = on; SELECT pg_reload_conf()"));
        }
        if (!row.isOn("counts")) {
            findings.add(Finding.warning(
                    "track_counts is off on this server",
                    "autovacuum does not know when to run",
                    "ALTER SYSTEM SET track_counts = on; SELECT pg_reload_conf()"));
        }
    }

    private void table(String options, List<Finding> findings) {
        if (options.contains("autovacuum_enabled=false") || options.contains("autovacuum_enabled=off")) {
            findings.add(Finding.warning(
                    "autovacuum is off for the hot table",
                    "every delivered message leaves a dead row that nobody clears away",
                    "ALTER TABLE " + store.table("\"", "") + " RESET (autovacuum_enabled)"));
        }
        if (!options.contains("autovacuum_vacuum_scale_factor=0")) {
            findings.add(Finding.warning(
                    "the hot table has lost its vacuum settings (" + (options.isEmpty() ? "none" : options) + ")",
                    "vacuum waits for a share of a table that is empty one moment and huge the next",
                    "ALTER TABLE " + store.table("\"", "") + " SET (autovacuum_vacuum_scale_factor = 0,"
                            + " autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0)"));
        }
    }
}
