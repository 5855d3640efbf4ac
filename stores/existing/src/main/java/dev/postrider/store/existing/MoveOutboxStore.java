package dev.postrider.store.existing;

import javax.sql.DataSource;

/**
 * Relays tables between which rows move: pending, wait, parking lot, and completed where delivered rows are kept; in MySQL, MariaDB and
 * TiDB.
 *
 * <p>One relay at a time is active, by a lease in the table {@code relay_lock} by the database's clock; no row is claimed. A failed row
 * waits in the wait table, one that is given up goes to the parking lot. With {@code Ordering.PER_KEY} nothing of a key (the subject of
 * the event) passes a row of it that waits. An {@code Outbox} over it writes such rows, as far as the tables have a place for what a
 * message says.
 *
 * <pre>{@code
 * OutboxStore store = MoveOutboxStore.builder(dataSource).completedTable("outbox_completed").build();
 * Relay relay = Relay.builder(store, destination).maxAttempts(3).build();
 * }</pre>
 */
public final class MoveOutboxStore {

    private MoveOutboxStore() {}

    /**
     * A store over the tables of one of its presets.
     *
     * @throws IllegalArgumentException if the preset is about other tables
     */
    public static MoveStoreBuilder builder(DataSource dataSource, Preset preset) {
        return switch (preset) {
            case PENDING_WAIT -> builder(dataSource);
            case PENDING -> builder(dataSource).withoutWaitTable().withoutParkingTable();
            default ->
                throw new IllegalArgumentException("Preset %s is one table with a status".formatted(preset.label()));
        };
    }

    /** A store over tables with the usual names. */
    public static MoveStoreBuilder builder(DataSource dataSource) {
        return new MoveStoreBuilder(dataSource);
    }
}
