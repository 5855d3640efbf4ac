package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.PrivateServer;
import dev.postrider.testservers.TidbServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What the doctor says of a real TiDB, in health and in every illness that TiDB alone has. */
@Timeout(180)
@EnabledIfSystemProperty(named = "postrider.test.tidb", matches = "true", disabledReason = "TiDB only: .ci/tidb")
class DoctorTidbIT extends DoctorContract {

    private static PrivateServer server;

    @BeforeAll
    static void startServer() {
        server = TidbServer.startPrivate();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    PrivateServer server() {
        return server;
    }

    @Test
    void findsNothingWrongWithAFreshOutbox() {
        assertThat(shell.run("doctor")).as(shell.out() + shell.err()).isZero();
        assertThat(shell.lines()).contains("  ok       privileges", "  ok       clocks", "  ok       TiDB");
    }

    @Test
    void namesOptimisticTransactions() throws SQLException {
        execute("SET GLOBAL tidb_txn_mode = 'optimistic'");
        try {
            assertThat(shell.run("doctor", "--fail-on", "error")).isEqualTo(1);
            assertThat(shell.out()).contains("ERROR    TiDB: tidb_txn_mode is optimistic", "'pessimistic'");
        } finally {
            execute("SET GLOBAL tidb_txn_mode = 'pessimistic'");
        }
    }

    @Test
    void namesAUserWhoSeesNoTransactionsOfOthers() throws SQLException {
        execute(
                "CREATE USER IF NOT EXISTS blind IDENTIFIED BY 'secret'",
                "GRANT ALL ON `" + database.name() + "`.* TO blind");
        shell.set("POSTRIDER_USER", "blind").set("POSTRIDER_PASSWORD", "secret");

        assertThat(shell.run("doctor")).as(shell.out() + shell.err()).isEqualTo(1);

        assertThat(shell.out()).contains("lacks the privilege PROCESS", "GRANT PROCESS ON *.*");
    }

    @Test
    void namesAHotTableWhoseNumbersComeFromSeveralPlaces() throws SQLException {
        String create = createTable().replaceAll("/\\*T!\\[auto_id_cache\\].*?\\*/", "");
        execute("DROP TABLE outbox", create);

        assertThat(shell.run("doctor", "--fail-on", "error")).isEqualTo(1);

        assertThat(shell.out()).contains("AUTO_ID_CACHE 1");
    }

    private String createTable() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW CREATE TABLE outbox")) {
            row.next();
            return row.getString(2);
        }
    }

    @Test
    void namesAClusterThatTakesNoWrites() throws SQLException {
        execute("SET GLOBAL tidb_super_read_only = 1");
        try {
            shell.run("doctor");
            assertThat(shell.out()).contains("ERROR    privileges: ", "Running in read-only mode");
        } finally {
            execute("SET GLOBAL tidb_super_read_only = 0", "SET GLOBAL tidb_restricted_read_only = 0");
        }
    }
}
