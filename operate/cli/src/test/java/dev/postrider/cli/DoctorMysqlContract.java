package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Makes a server ill in every way the doctor knows, and sees each found, with its fix. */
abstract class DoctorMysqlContract extends DoctorContract {

    /** What is said of a transaction that has written to the outbox. */
    abstract String ofWriter();

    /** With other global variables, which are put back. */
    private void with(Map<String, String> variables, Runnable action) throws SQLException {
        Map<String, String> before = new LinkedHashMap<>();
        for (String name : variables.keySet()) {
            before.put(name, variable(name));
            execute("SET GLOBAL " + name + " = " + variables.get(name));
        }
        try {
            action.run();
        } finally {
            for (Map.Entry<String, String> old : before.entrySet()) {
                String value = old.getValue();
                execute("SET GLOBAL " + old.getKey() + " = " + (value.matches("\\d+") ? value : "'" + value + "'"));
            }
        }
    }

    private String variable(String name) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@global." + name)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void findsNothingWrongWithAFreshOutbox() throws SQLException {
        // The servers of these tests need not survive a power failure.
        with(Map.of("innodb_flush_log_at_trx_commit", "1", "sync_binlog", "1"), () -> {
            assertThat(shell.run("doctor")).as(shell.out() + shell.err()).isZero();
            assertThat(shell.lines())
                    .contains(
                            "  ok       privileges",
                            "  ok       clocks",
                            "  ok       max_allowed_packet",
                            "  ok       writing nodes",
                            "  ok       long transactions and old snapshots",
                            "  ok       purge and statistics of the hot table",
                            "  ok       durability");
        });
    }

    @Test
    void namesALongTransactionAndOneThatHasWrittenToTheOutbox() throws SQLException {
        try (Connection reader = database.dataSource().getConnection();
                Connection writer = database.dataSource().getConnection();
                Statement read = reader.createStatement();
                Statement write = writer.createStatement()) {
            reader.setAutoCommit(false);
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            read.executeQuery("SELECT COUNT(*) FROM outbox_meta").close();
            writer.setAutoCommit(false);
            write.execute("INSERT INTO outbox (id, topic, type, payload) VALUES"
                    + " (RANDOM_BYTES(16), 'orders', 'test', '')");

            assertThat(shell.run("doctor", "--old-after", "0")).isEqualTo(1);

            assertThat(shell.out())
                    .contains("has changed 0 rows", "deleted rows cannot be purged", "KILL ")
                    .contains(ofWriter());
            writer.rollback();
            reader.rollback();
        }
    }

    @Test
    void namesServerSettingsThatEndangerMessages() throws SQLException {
        Map<String, String> ill = new LinkedHashMap<>();
        ill.put("max_allowed_packet", "1048576");
        ill.put("auto_increment_increment", "2");
        ill.put("innodb_flush_log_at_trx_commit", "2");
        ill.put("sync_binlog", "0");
        ill.put("innodb_stats_auto_recalc", "0");
        with(ill, () -> {
            assertThat(shell.run("doctor", "--fail-on", "error"))
                    .as(shell.out())
                    .isEqualTo(1);
            assertThat(shell.out())
                    .contains("ERROR    max_allowed_packet: max_allowed_packet is 1 MiB", "max-payload-bytes")
                    .contains("ERROR    writing nodes: auto_increment_increment is 2", "scan-mode: single-writer")
                    .contains("WARNING  durability: innodb_flush_log_at_trx_commit is 2")
                    .contains("statistics of the hot table are not renewed")
                    .contains("ERROR    tables: ");
        });
    }

    @Test
    void namesAnIsolationLevelThatMakesWritersWait() throws SQLException {
        String variable = List.of("transaction_isolation", "tx_isolation").stream()
                .filter(this::exists)
                .findFirst()
                .orElseThrow();
        with(Map.of(variable, "'SERIALIZABLE'"), () -> {
            assertThat(shell.run("doctor")).isEqualTo(1);
            assertThat(shell.out()).contains("WARNING  isolation level: transactions are SERIALIZABLE");
        });
    }

    private boolean exists(String name) {
        try {
            return !variable(name).isEmpty();
        } catch (SQLException unknown) {
            return false;
        }
    }

    @Test
    void namesAServerThatTakesNoWrites() throws SQLException {
        with(Map.of("read_only", "1"), () -> {
            shell.run("doctor");
            assertThat(shell.out()).contains("ERROR    durability: the server is read-only");
        });
    }
}
