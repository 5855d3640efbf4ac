package dev.postrider.service.doctor;

import dev.postrider.internal.Readable;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Looks at what is different on TiDB; finds nothing on other servers. */
final class TidbCheck implements Check {

    private static final Pattern ONE_PLACE = Pattern.compile("AUTO_ID_CACHE\\s*=?\\s*1\\b", Pattern.CASE_INSENSITIVE);
    private static final long DEFAULT_ENTRY_BYTES = 6 << 20;
    private static final int PRIVILEGE_MISSING = 1227;

    private final Questions questions;
    private final MysqlVariables variables;
    private final StoreSettings store;

    TidbCheck(Questions questions, MysqlVariables variables, StoreSettings store) {
        this.questions = questions;
        this.variables = variables;
        this.store = store;
    }

    @Override
    public String name() {
        return "TiDB";
    }

    @Override
    public List<Finding> run() throws SQLException {
        return variables.isTidb()
                ? findings(
                        variables.read(),
                        questions
                                .row("SHOW CREATE TABLE " + store.table("`", ""))
                                .text("create table"),
                        store.limits().maxPayloadBytes(),
                        seesTransactions())
                : List.of();
    }

    /** TiDB refuses this list to those to whom it does not show the transactions of others. */
    private boolean seesTransactions() throws SQLException {
        try {
            questions.row("SELECT COUNT(*) AS servers FROM information_schema.CLUSTER_INFO");
            return true;
        } catch (SQLException refused) {
            if (refused.getErrorCode() == PRIVILEGE_MISSING) {
                return false;
            }
            throw refused;
        }
    }

    static List<Finding> findings(Row variables, String createTable, int maxPayloadBytes, boolean seesTransactions) {
        List<Finding> findings = new ArrayList<>();
        if (!ONE_PLACE.matcher(createTable).find()) {
            findings.add(Finding.error(
                    "the hot table was created without AUTO_ID_CACHE 1",
                    "each TiDB node draws seqs of its own block, so they say nothing about the order of messages",
                    "It cannot be changed: make a new outbox (postrider lanes --help), with the SQL of"
                            + " postrider schema print --dialect tidb"));
        }
        if (variables.text("tidb_txn_mode").equalsIgnoreCase("optimistic")) {
            findings.add(Finding.error(
                    "tidb_txn_mode is optimistic",
                    "locks are taken at commit only, so a relay that lost its lease is not fenced off in time",
                    "SET GLOBAL tidb_txn_mode = 'pessimistic'"));
        }
        if (variables.text("tidb_disable_txn_auto_retry").equalsIgnoreCase("OFF")) {
            findings.add(Finding.error(
                    "tidb_disable_txn_auto_retry is OFF",
                    "an optimistic transaction that TiDB tries again keeps its numbers and gets a later start, so a relay may take"
                            + " its messages for rolled back and deliver them late and out of order",
                    "SET GLOBAL tidb_disable_txn_auto_retry = ON"));
        }
        long entry = variables.number("tidb_txn_entry_size_limit");
        long allowed = entry == 0 ? DEFAULT_ENTRY_BYTES : entry;
        if (maxPayloadBytes > allowed) {
            findings.add(Finding.warning(
                    "max-payload-bytes is %s, TiDB takes rows of about %s"
                            .formatted(Readable.bytes(maxPayloadBytes), Readable.bytes(allowed)),
                    "larger messages are refused when they are written",
                    "Lower max-payload-bytes, or raise txn-entry-size-limit"));
        }
        if (!seesTransactions) {
            findings.add(Finding.warning(
                    "the relay's user lacks the privilege PROCESS",
                    "it cannot tell numbers that were rolled back from those of open transactions, so fetches read past rows"
                            + " that were delivered in the last minutes and get slower",
                    "GRANT PROCESS ON *.* TO the relay's user"));
        }
        return findings;
    }
}
