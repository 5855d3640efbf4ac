package dev.postrider.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What tests may expect of every kind of server. */
abstract class ServerContract {
    abstract DatabaseServer shared();

    abstract PrivateServer startPrivate();

    @Test
    void sharedServerGivesEachTestItsOwnDatabase() throws Exception {
        try (Database one = shared().createDatabase("one");
                Database two = shared().createDatabase("two")) {
            execute(one.dataSource(), "CREATE TABLE t (id INT PRIMARY KEY)");
            execute(two.dataSource(), "CREATE TABLE t (id INT PRIMARY KEY)");
            assertThat(query(one.dataSource(), "SELECT count(*) FROM t")).isEqualTo("0");
        }
    }

    @Test
    void sharedServerIsStartedOnce() {
        assertThat(shared()).isSameAs(shared());
    }

    @Test
    void committedRowsSurviveCrashAndRestart() throws Exception {
        try (PrivateServer server = startPrivate()) {
            Database database = server.createDatabase("crash");
            execute(database.dataSource(), "CREATE TABLE t (id INT PRIMARY KEY)");
            execute(database.dataSource(), "INSERT INTO t VALUES (8)");

            server.killHard();
            assertThat(server.isRunning()).isFalse();
            assertThatThrownBy(() -> query(database.dataSource(), "SELECT id FROM t"))
                    .isInstanceOf(SQLException.class);

            server.restart();
            assertThat(query(database.dataSource(), "SELECT id FROM t")).isEqualTo("8");
        }
    }

    @Test
    void committedRowsSurviveCleanStop() throws Exception {
        try (PrivateServer server = startPrivate()) {
            Database database = server.createDatabase("stop");
            execute(database.dataSource(), "CREATE TABLE t (id INT PRIMARY KEY)");

            server.stop();
            server.restart();
            assertThat(query(database.dataSource(), "SELECT count(*) FROM t")).isEqualTo("0");
        }
    }

    @Test
    void frozenServerAnswersOnlyWhenThawed() throws Exception {
        try (PrivateServer server = startPrivate();
                Connection connection = server.dataSource().getConnection()) {
            server.freeze();
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> query(connection, "SELECT 1"));
            assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

            server.thaw();
            assertThat(answer).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("1");
        }
    }

    static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String query(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return query(connection, sql);
        }
    }

    private static String query(Connection connection, String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
