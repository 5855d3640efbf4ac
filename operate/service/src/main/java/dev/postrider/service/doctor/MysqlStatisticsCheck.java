package dev.postrider.service.doctor;

import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Looks whether statistics of the hot table follow its changes, and whether deleted rows are purged. */
final class MysqlStatisticsCheck implements Check {

    private static final long LONG_HISTORY = 1_000_000;

    private static final String TABLE = """
            SELECT create_options AS options FROM information_schema.tables
            WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ?""";

    private static final String HISTORY =
            "SELECT `COUNT` AS length FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'";

    private final Questions questions;
    private final MysqlVariables variables;
    private final StoreSettings store;

    MysqlStatisticsCheck(Questions questions, MysqlVariables variables, StoreSettings store) {
        this.questions = questions;
        this.variables = variables;
        this.store = store;
    }

    @Override
    public String name() {
        return "purge and statistics of the hot table";
    }

    @Override
    public List<Finding> run() throws SQLException {
        if (variables.isTidb()) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        Row table = questions.row(TABLE, store.schemaName().orElse(null), store.prefixName());
        boolean isOff = table.text("options").toLowerCase(Locale.ROOT).contains("stats_auto_recalc=0")
                || "OFF".equalsIgnoreCase(variables.read().text("innodb_stats_auto_recalc"));
        if (isOff) {
            findings.add(Finding.note(
                    "statistics of the hot table are not renewed by themselves",
                    "relays name their indexes and do not suffer; queries of your own, and the estimates of 'status', do",
                    "ALTER TABLE " + store.table("`", "")
                            + " STATS_AUTO_RECALC = 1; SET GLOBAL innodb_stats_auto_recalc = ON"));
        }
        for (Row row : questions.rows(HISTORY)) {
            if (row.number("length") > LONG_HISTORY) {
                findings.add(Finding.warning(
                        "%d changes wait to be purged".formatted(row.number("length")),
                        "delivered rows stay in the indexes and make scans slower",
                        "End old transactions (see the check of them), raise innodb_purge_threads"));
            }
        }
        return findings;
    }
}
