package dev.postrider.store.mysql;

import javax.sql.DataSource;

/**
 * An outbox in MySQL 8.0.17 or newer, MariaDB 10.6 or newer, or TiDB 7.5 or newer.
 *
 * <p>Exact: a transaction that draws its seq early and commits late is neither lost nor overtaken within
 * its key, with savepoints, inserts of many rows, any isolation level, and through a restart or fail-over of the server. The
 * relay's reads lock nothing, so writers do not wait for them. The price of a fetch does not grow with the backlog, with
 * deleted rows, nor with a reader that stays open; a transaction that wrote to the outbox and stays open is the exception. On
 * TiDB the relay's user needs the privilege PROCESS for that. With {@link ScanMode#HEAD} every fetch starts at the head.
 *
 * <p>The data source must lead to the primary. Its driver, default isolation level, auto-commit and time zone do not matter.
 * Thread-safe; holds no connection between calls.
 *
 * <pre>{@code
 * OutboxStore store = MysqlOutboxStore.builder(dataSource)
 *         .schemaMode(SchemaMode.CREATE)
 *         .build();
 * }</pre>
 */
public final class MysqlOutboxStore {

    private MysqlOutboxStore() {}

    /** The data source leads to the primary; a pool of a few connections is enough for any number of lanes. */
    public static MysqlOutboxStoreBuilder builder(DataSource dataSource) {
        return new MysqlOutboxStoreBuilder(dataSource);
    }
}
