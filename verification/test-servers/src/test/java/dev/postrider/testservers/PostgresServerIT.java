package dev.postrider.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PostgresServerIT extends ServerContract {
    @Override
    DatabaseServer shared() {
        return Servers.postgres();
    }

    @Override
    PrivateServer startPrivate() {
        return PostgresServer.startPrivate();
    }

    @Test
    void privateServerTakesSettings() throws Exception {
        try (PrivateServer server = PostgresServer.startPrivate(Map.of("wal_level", "logical"))) {
            assertThat(query(server.dataSource(), "SHOW wal_level")).isEqualTo("logical");
            assertThat(query(server.dataSource(), "SHOW fsync")).isEqualTo("on");
            assertThat(query(server.dataSource(), "SHOW max_prepared_transactions"))
                    .isEqualTo("32");
        }
    }

    @Test
    void standbyFollowsAndTakesOver() throws Exception {
        try (PrivateServer primary = PostgresServer.startPrivate()) {
            execute(primary.dataSource(), "CREATE TABLE t (id INT PRIMARY KEY)");
            try (PostgresStandby standby = PostgresServer.startStandby(primary)) {
                execute(primary.dataSource(), "INSERT INTO t VALUES (8)");
                assertThat(Await.until(Duration.ofSeconds(20), () -> holdsRow(standby)))
                        .isTrue();

                primary.killHard();
                standby.promote();
                execute(standby.dataSource(), "INSERT INTO t VALUES (9)");
                assertThat(query(standby.dataSource(), "SELECT count(*) FROM t"))
                        .isEqualTo("2");
            }
        }
    }

    @Test
    void poolerSharesServerConnections() throws Exception {
        Database database = shared().createDatabase("pooled");
        try (PgBouncer pooler = PgBouncer.start(shared(), PgBouncer.PoolMode.TRANSACTION)) {
            assertThat(query(pooler.dataSource(database.name()), "SELECT current_database()"))
                    .isEqualTo(database.name());
        }
    }

    private static boolean holdsRow(DatabaseServer server) {
        try {
            return query(server.dataSource(), "SELECT count(*) FROM t").equals("1");
        } catch (java.sql.SQLException notYet) {
            return false;
        }
    }
}
