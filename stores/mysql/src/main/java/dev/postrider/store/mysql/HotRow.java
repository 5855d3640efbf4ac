package dev.postrider.store.mysql;

import dev.postrider.spi.OutboxRow;
import java.util.Optional;

/**
 * A row that a fetch may return.
 *
 * @param bytes what its payload takes in memory
 * @param content empty if the row was too large to be read along, and must be read by itself
 */
record HotRow(long seq, long bytes, Optional<OutboxRow> content) {}
