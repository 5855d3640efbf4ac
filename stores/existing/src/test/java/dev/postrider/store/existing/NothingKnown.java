package dev.postrider.store.existing;

import dev.postrider.spi.KnownRows;

/** A relay with empty hands. */
final class NothingKnown implements KnownRows {

    @Override
    public boolean contains(int lane, long seq) {
        return false;
    }

    @Override
    public long[] seqs(int lane) {
        return new long[0];
    }
}
