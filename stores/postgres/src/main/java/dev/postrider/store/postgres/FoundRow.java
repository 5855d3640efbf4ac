package dev.postrider.store.postgres;

import dev.postrider.spi.OutboxRow;
import java.util.Optional;

/** A row that a statement found; without its content when it did not fit into this fetch. */
record FoundRow(int lane, long seq, Optional<OutboxRow> content) {

    FoundRow withoutContent() {
        return new FoundRow(lane, seq, Optional.empty());
    }

    boolean hasContent() {
        return content.isPresent();
    }

    /** The bytes of payload that were read: 0 for a row without content, or for one that is too large to be read at all. */
    long payloadBytes() {
        return content.orElse(null) instanceof OutboxRow.Hot hot ? hot.message().payload().length : 0;
    }
}
