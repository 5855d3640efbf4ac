package dev.postrider.benchmarks;

import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.MariadbServer;
import dev.postrider.testservers.MysqlServer;
import dev.postrider.testservers.PostgresServer;
import dev.postrider.testservers.PrivateServer;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;

/** The databases, with what differs between them in a benchmark. */
enum BenchStore {
    POSTGRES {
        @Override
        DatabaseServer shared() {
            return Servers.postgres();
        }

        @Override
        PrivateServer start() {
            return PostgresServer.startPrivate(Map.of("shared_buffers", "512MB", "max_wal_size", "4GB"));
        }

        @Override
        OutboxStore open(DataSource dataSource) {
            return PostgresOutboxStore.builder(dataSource)
                    .schemaMode(SchemaMode.CREATE)
                    .build();
        }

        @Override
        JdbcLoop loop(Connection connection) {
            return new PostgresLoop(connection);
        }

        @Override
        String seed() {
            return """
                    INSERT INTO outbox (id, topic, message_key, type, headers, content_type, payload)
                    SELECT gen_random_uuid(), 'orders', 'order-' || n %% 10000, 'com.example.OrderPlaced',
                           '{"ce_source":"/orders"}', 'application/json', CAST(repeat('x', %2$d) AS bytea)
                    FROM generate_series(1, %1$d) n""";
        }
    },
    MYSQL {
        @Override
        DatabaseServer shared() {
            return Servers.mysql();
        }

        @Override
        PrivateServer start() {
            return MysqlServer.startPrivate(INNODB);
        }

        @Override
        OutboxStore open(DataSource dataSource) {
            return MysqlOutboxStore.builder(dataSource)
                    .schemaMode(SchemaMode.CREATE)
                    .build();
        }

        @Override
        JdbcLoop loop(Connection connection) {
            return new MysqlLoop(connection);
        }

        @Override
        String seed() {
            return MYSQL_SEED;
        }
    },
    MARIADB {
        @Override
        DatabaseServer shared() {
            return Servers.mariadb();
        }

        @Override
        PrivateServer start() {
            return MariadbServer.startPrivate(Map.of("innodb-buffer-pool-size", "1G", "innodb-log-file-size", "1G"));
        }

        @Override
        OutboxStore open(DataSource dataSource) {
            return MysqlOutboxStore.builder(dataSource)
                    .schemaMode(SchemaMode.CREATE)
                    .build();
        }

        @Override
        JdbcLoop loop(Connection connection) {
            return new MysqlLoop(connection);
        }

        @Override
        String seed() {
            return MYSQL_SEED;
        }
    };

    private static final Map<String, String> INNODB =
            Map.of("innodb-buffer-pool-size", "1G", "innodb-redo-log-capacity", "1G");

    private static final String MYSQL_SEED = """
            INSERT INTO outbox (id, topic, message_key, type, headers, content_type, payload)
            SELECT UNHEX(REPLACE(UUID(), '-', '')), 'orders', CONCAT('order-', n.n %% 10000),
                   'com.example.OrderPlaced', '{"ce_source":"/orders"}', 'application/json', REPEAT('x', %2$d)
            FROM (
              WITH RECURSIVE d (d) AS (SELECT 0 UNION ALL SELECT d + 1 FROM d WHERE d < 99)
              SELECT a.d + 100 * b.d + 10000 * c.d AS n FROM d a, d b, d c LIMIT %1$d
            ) n""";

    abstract DatabaseServer shared();

    /** A server for this benchmark alone, with durable commits and room for the working set. */
    abstract PrivateServer start();

    abstract OutboxStore open(DataSource dataSource);

    abstract JdbcLoop loop(Connection connection);

    /** A statement that inserts messages; its arguments are their number, at most a million, and the payload's length. */
    abstract String seed();

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
