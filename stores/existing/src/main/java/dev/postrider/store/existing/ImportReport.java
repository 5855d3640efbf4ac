package dev.postrider.store.existing;

import java.util.Set;

/**
 * What an import did, or in a dry run would do.
 *
 * @param imported rows that are in the outbox now
 * @param unreadable rows that are no messages; they stay where they are
 * @param left undelivered rows that stay, the unreadable ones included: those that a relay has claimed, for example
 * @param isDryRun nothing was changed
 * @param known how many of the imported ones an earlier import had written: one that was interrupted, or one of a table of the same name
 *     on another server, which needs an {@code origin} of its own
 * @param leaders leases that relays hold in the lock table: of a table whose lease is not named, any of them may be sending its rows
 */
public record ImportReport(
        long imported, long unreadable, long left, boolean isDryRun, long known, Set<String> leaders) {

    ImportReport(long imported, long unreadable, long left, boolean isDryRun) {
        this(imported, unreadable, left, isDryRun, 0, Set.of());
    }
}
