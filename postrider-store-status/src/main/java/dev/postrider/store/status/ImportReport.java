package dev.postrider.store.status;

/**
 * What an import did, or in a dry run would do.
 *
 * @param imported rows that are in the outbox now
 * @param unreadable rows that are no messages; they stay where they are
 * @param left undelivered rows that stay, the unreadable ones included: those that a relay has claimed, for example
 * @param isDryRun nothing was changed
 */
public record ImportReport(long imported, long unreadable, long left, boolean isDryRun) {}
