package dev.postrider.spi;

/** The rows that the relay holds in memory; a scan does not return them again. */
public interface KnownRows {

    boolean contains(int lane, long seq);

    /** The seqs held of this lane, in no particular order. */
    long[] seqs(int lane);
}
