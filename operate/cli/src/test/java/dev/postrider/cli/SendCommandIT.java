package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.Relay;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message that is followed through the tables of real databases. */
@Timeout(60)
class SendCommandIT {

    private final Shell shell = new Shell();

    @Test
    void followsAMessageOnPostgres() {
        try (Database database = Servers.postgres().createDatabase("send")) {
            follows(
                    database,
                    PostgresOutboxStore.builder(database.dataSource())
                            .schemaMode(SchemaMode.CREATE)
                            .build());
        }
    }

    @Test
    void followsAMessageOnMysql() {
        try (Database database = Servers.mysql().createDatabase("send")) {
            follows(database, mysql(database));
        }
    }

    @Test
    void followsAMessageOnMariadb() {
        try (Database database = Servers.mariadb().createDatabase("send")) {
            follows(database, mysql(database));
        }
    }

    private static OutboxStore mysql(Database database) {
        return MysqlOutboxStore.builder(database.dataSource())
                .schemaMode(SchemaMode.CREATE)
                .build();
    }

    private void follows(Database database, OutboxStore store) {
        shell.set("POSTRIDER_URL", database.jdbcUrl())
                .set("POSTRIDER_USER", database.user())
                .set("POSTRIDER_PASSWORD", database.password());
        try (Destination destination = Destination.blocking("test", message -> {
                    if (message.topic().equals("bad")) {
                        throw new IllegalStateException("not today");
                    }
                });
                Relay relay = Relay.withDefaults(store, destination)) {
            relay.start();
            assertThat(shell.run("send", "--topic", "good", "--key", "a", "--wait", "1"))
                    .as(shell.err())
                    .isZero();
            assertThat(shell.out()).contains("delivered after ");
            assertThat(shell.run("send", "--topic", "bad", "--key", "b", "--wait", "2"))
                    .isEqualTo(1);
            assertThat(shell.out()).contains("held after 1 attempt", "not today");
        }
    }
}
