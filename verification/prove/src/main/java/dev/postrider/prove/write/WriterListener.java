package dev.postrider.prove.write;

import java.util.List;

/** Hears what writers did. Called from several threads. */
@FunctionalInterface
public interface WriterListener {

    /** The commit of a transaction returned. */
    void committed(List<LedgerEntry> entries);

    /** A transaction was rolled back on purpose. */
    default void rolledBack() {}

    /** A message was enqueued and rolled back to a savepoint; its transaction went on. */
    default void rolledBackToSavepoint() {}
}
