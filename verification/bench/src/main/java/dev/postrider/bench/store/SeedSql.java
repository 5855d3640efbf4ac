package dev.postrider.bench.store;

import dev.postrider.service.database.DatabaseKind;

/**
 * Statements by which a database fills an outbox by itself. The table's name is to be put in; the parameters are how many keys, the
 * payload, and how many messages, at most a million. Stateless.
 */
final class SeedSql {

    /** The prime lets neighbours have distant keys. */
    private static final String POSTGRES = """
            INSERT INTO %s (id, topic, message_key, type, headers, content_type, payload)
            SELECT gen_random_uuid(), 'orders', 'order-' || (n * 7919) %% ?, 'com.example.OrderPlaced',
                   '{"ce_source":"/orders"}', 'application/json', ?
            FROM generate_series(1, ?) n""";

    private static final String MYSQL = """
            INSERT INTO %s (id, topic, message_key, type, headers, content_type, payload)
            SELECT UNHEX(REPLACE(UUID(), '-', '')), 'orders', CONCAT('order-', (n.n * 7919) %% ?),
                   'com.example.OrderPlaced', '{"ce_source":"/orders"}', 'application/json', ?
            FROM (
              WITH RECURSIVE d (d) AS (SELECT 0 UNION ALL SELECT d + 1 FROM d WHERE d < 99)
              SELECT a.d + 100 * b.d + 10000 * c.d AS n FROM d a, d b, d c
            ) n LIMIT ?""";

    private static final String H2 = """
            INSERT INTO %s (id, topic, message_key, type, headers, content_type, payload)
            SELECT RANDOM_UUID(), 'orders', 'order-' || MOD(x * 7919, CAST(? AS BIGINT)), 'com.example.OrderPlaced',
                   '{"ce_source":"/orders"}', 'application/json', CAST(? AS VARBINARY(1000000))
            FROM SYSTEM_RANGE(1, CAST(? AS BIGINT))""";

    private SeedSql() {}

    static String of(DatabaseKind kind) {
        return switch (kind) {
            case POSTGRES -> POSTGRES;
            case MYSQL, MARIADB, TIDB -> MYSQL;
            case H2 -> H2;
        };
    }
}
