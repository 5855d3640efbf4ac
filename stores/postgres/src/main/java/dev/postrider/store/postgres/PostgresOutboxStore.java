package dev.postrider.store.postgres;

import javax.sql.DataSource;

/**
 * An outbox in PostgreSQL 13 or later.
 *
 * <p>Exact: a transaction that draws its seq early and commits late is neither lost nor overtaken within its key, with
 * savepoints, prepared transactions, any isolation level, and through a crash or fail-over of the server. The price of a
 * fetch does not grow with the backlog, with dead rows, nor with a transaction that stays open. The data source must lead
 * to the primary; a pooler in transaction mode may stand between. Its default isolation level and auto-commit do not matter.
 * Thread-safe; holds no connection between calls.
 *
 * <pre>{@code
 * OutboxStore store = PostgresOutboxStore.builder(dataSource)
 *         .schemaMode(SchemaMode.CREATE)
 *         .build();
 * }</pre>
 */
public final class PostgresOutboxStore {

    private PostgresOutboxStore() {}

    /** The data source leads to the primary; a pool of a few connections is enough for any number of lanes. */
    public static PostgresOutboxStoreBuilder builder(DataSource dataSource) {
        return new PostgresOutboxStoreBuilder(dataSource);
    }
}
