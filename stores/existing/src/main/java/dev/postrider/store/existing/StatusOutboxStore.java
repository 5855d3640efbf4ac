package dev.postrider.store.existing;

import javax.sql.DataSource;

/**
 * Relays one existing table whose rows say how far they are, in PostgreSQL, MySQL and MariaDB.
 *
 * <p>Any number of relays compete for rows, each claimed with {@code FOR UPDATE SKIP LOCKED}; no order is kept
 * ({@code Ordering.NONE}). With {@link StatusStoreBuilder#leader} one relay at a time is active and may keep the order of keys.
 * A crash releases what was claimed, and every row is delivered at least once, or is visible as given up.
 *
 * <pre>{@code
 * OutboxStore store = StatusOutboxStore.builder(dataSource, Preset.EVENT_OUTBOX.mapping()).build();
 * Relay relay = Relay.builder(store, destination).ordering(Ordering.NONE).build();
 * }</pre>
 */
public final class StatusOutboxStore {

    private StatusOutboxStore() {}

    /** A store over the table that the mapping describes. */
    public static StatusStoreBuilder builder(DataSource dataSource, TableMapping mapping) {
        return new StatusStoreBuilder(dataSource, mapping);
    }
}
