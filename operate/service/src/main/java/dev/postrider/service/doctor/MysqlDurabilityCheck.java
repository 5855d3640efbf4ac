package dev.postrider.service.doctor;

import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks whether the server takes writes, and whether what it has committed outlives a crash. */
final class MysqlDurabilityCheck implements Check {

    private final MysqlVariables variables;

    MysqlDurabilityCheck(MysqlVariables variables) {
        this.variables = variables;
    }

    @Override
    public String name() {
        return "durability";
    }

    @Override
    public List<Finding> run() throws SQLException {
        Row row = variables.read();
        List<Finding> findings = new ArrayList<>();
        if (row.isOn("read_only") || row.isOn("super_read_only")) {
            findings.add(Finding.error(
                    "the server is read-only", "a relay cannot work here", "Give the address of the primary"));
        }
        if (variables.isTidb()) {
            return findings;
        }
        if (row.number("innodb_flush_log_at_trx_commit") != 1) {
            findings.add(Finding.warning(
                    "innodb_flush_log_at_trx_commit is " + row.text("innodb_flush_log_at_trx_commit"),
                    "a crash can undo transactions of the last second, whose messages were delivered already",
                    "SET GLOBAL innodb_flush_log_at_trx_commit = 1, and in the server's file"));
        }
        if (row.isOn("log_bin") && row.number("sync_binlog") != 1) {
            findings.add(Finding.warning(
                    "sync_binlog is " + row.text("sync_binlog"),
                    "after a crash replicas may lack committed messages, or have some that the primary lost",
                    "SET GLOBAL sync_binlog = 1, and in the server's file"));
        }
        return findings;
    }
}
