package dev.postrider.store.postgres;

import dev.postrider.spi.OutboxRow;
import java.util.Optional;

/** A row that a statement found; without its content when it did not fit into this fetch. */
record FoundRow(int lane, long seq, Optional<OutboxRow> content) {}
