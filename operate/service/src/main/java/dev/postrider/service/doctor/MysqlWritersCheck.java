package dev.postrider.service.doctor;

import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import dev.postrider.store.mysql.ScanMode;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Looks whether several nodes may take writes at once: then seqs are drawn in several places. */
final class MysqlWritersCheck implements Check {

    private final MysqlVariables variables;
    private final ScanMode mode;

    MysqlWritersCheck(MysqlVariables variables, ScanMode mode) {
        this.variables = variables;
        this.mode = mode;
    }

    @Override
    public String name() {
        return "writing nodes";
    }

    @Override
    public List<Finding> run() throws SQLException {
        return several(variables.read()).map(this::judge).stream().toList();
    }

    private static Optional<String> several(Row row) {
        if (row.isOn("wsrep_on") && !row.text("wsrep_cluster_address").isBlank()) {
            return Optional.of("the server is a node of a Galera cluster");
        }
        if (!row.text("group_replication_group_name").isBlank() && !row.isOn("group_replication_single_primary_mode")) {
            return Optional.of("the server belongs to group replication with several primaries");
        }
        long increment = row.number("auto_increment_increment");
        return increment > 1 ? Optional.of("auto_increment_increment is " + increment) : Optional.empty();
    }

    private Finding judge(String what) {
        String meaning = "seqs of different nodes say nothing about the order of messages";
        return switch (mode) {
            case AUTO ->
                Finding.error(
                        what,
                        meaning + "; a relay refuses to start",
                        "If all writers and relays use one node, set scan-mode: single-writer; else scan-mode: head and"
                                + " ordering: none. Without a cluster, set auto_increment_increment to 1");
            case SINGLE_WRITER ->
                Finding.note(
                        what + "; scan-mode is single-writer",
                        meaning + ", so all writers and relays must use one node, also after a fail-over",
                        "See that the load balancer sends them to one node");
            case HEAD ->
                Finding.note(
                        what + "; scan-mode is head",
                        "every fetch starts at the head, and no order is kept",
                        "Nothing, if ordering is none");
        };
    }
}
