package dev.postrider.store.mysql;

/** How the hot table is read for new rows. */
public enum ScanMode {

    /**
     * Reads from a cursor; the store refuses to start where several nodes may take writes: Galera, group replication with several
     * primaries, an {@code auto_increment_increment} above 1, Vitess. The default.
     */
    AUTO,

    /**
     * Reads from a cursor, although the server belongs to such a cluster: the user promises that all writers of the outbox and all
     * relays use one and the same node at a time.
     */
    SINGLE_WRITER,

    /**
     * Reads from the head at every fetch. Right with any number of writing nodes, but their seqs say nothing about the order of
     * commits: use it with {@link dev.postrider.spi.Ordering#NONE} only. A fetch passes over all rows of lanes and topics that
     * it does not want, so it becomes slow with a large backlog of those.
     */
    HEAD
}
