package dev.postrider.store.existing;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.store.existing.Candidates.Candidate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The statements of one layout. All run in the caller's transaction. Thread-safe. */
interface Rows {

    /** The name of the outbox. */
    String name();

    Database database();

    /**
     * Adds messages as those do to whom the table belongs.
     *
     * @throws InvalidMessageException if it has no place for something that a message says
     */
    void insert(Connection connection, List<OutboxMessage> messages) throws SQLException;

    /**
     * Those to be relayed next, in their order; nothing is locked.
     *
     * @param smallBytes rows of at most so many bytes may be read whole
     */
    List<Candidate> candidates(Connection connection, RowQuery find, long smallBytes) throws SQLException;

    /** Undelivered rows whole; those that are gone by now are missing. */
    Map<RowKey, WholeRow> whole(Connection connection, List<RowKey> keys) throws SQLException;

    /** The same without what is large: of rows that are too large for that. */
    List<Head> heads(Connection connection, List<RowKey> keys) throws SQLException;

    /** Undelivered rows, the oldest first, locked: also those that wait for a retry, but none that a relay has claimed. */
    List<Head> undelivered(Connection connection, int limit, Collection<RowKey> skipped) throws SQLException;

    /** Undelivered rows in this place that no relay has claimed, by id, after this one; nothing is locked. */
    List<Head> after(Connection connection, Place place, Optional<RowKey> last, int limit) throws SQLException;

    /** Brings some rows back that wait in a table of their own, due or not; returns how many. */
    int returnWaiting(Connection connection, int limit) throws SQLException;

    /** Those of these rows that are neither delivered nor given up. */
    Set<RowKey> undeliveredAmong(Connection connection, List<RowKey> keys) throws SQLException;

    /** Rows that are not in this place by now are missing. */
    Map<RowKey, Body> bodies(Connection connection, Place place, Collection<RowKey> keys) throws SQLException;

    /** The message of a row; throws whatever makes it unreadable. */
    OutboxMessage message(Head head, Body body);

    /**
     * Records outcomes.
     *
     * @param token of the claim; a row that somebody else has claimed by now is left alone unless it was delivered
     */
    void apply(Connection connection, Map<RowKey, Outcome> outcomes, Optional<String> token) throws SQLException;

    /** The rows among these that were delivered. */
    static List<RowKey> delivered(Map<RowKey, Outcome> outcomes) {
        return outcomes.entrySet().stream()
                .filter(each -> each.getValue() instanceof RowOutcome.Delivered)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** All of them were delivered. */
    static Map<RowKey, Outcome> allDelivered(List<RowKey> keys) {
        Map<RowKey, Outcome> outcomes = new LinkedHashMap<>();
        keys.forEach(key -> outcomes.put(key, new RowOutcome.Delivered()));
        return outcomes;
    }

    /** The order of those to whom the table belongs. */
    default Ordering defaultOrdering() {
        return Ordering.PER_KEY;
    }

    /** Whether the table remembers failed attempts and when the next is due; if not, the process does. */
    boolean remembersRetries();

    /** Whether rows that were given up can be told apart. */
    boolean remembersDead();

    /** With how many failed attempts a row counts as given up, whoever counted them. */
    int maxSupportedAttempts();

    /** Whether rows that wait for an operator can be told apart; if not, the process knows them. */
    boolean remembersBlocks();

    /** Whether failed rows wait in a table of their own. */
    boolean hasWaitTable();

    /** Moves rows whose retry is due back, where failed rows wait elsewhere. */
    int releaseDue(Connection connection, int limit) throws SQLException;

    /** How long until the next row comes back by {@link #releaseDue}, if there is one. */
    Optional<Duration> nextDue(Connection connection) throws SQLException;

    /** Makes rows due that an operator must unblock, of this key or all. */
    int unblock(Connection connection, Optional<String> key) throws SQLException;

    /** Counts the attempts of these rows from the start again. */
    void startAnew(Connection connection, List<RowKey> keys) throws SQLException;

    /** Rows that were given up, by id, after this one. */
    List<DeadRow> dead(Connection connection, Optional<RowKey> after, int limit) throws SQLException;

    /** How many rows were given up for each reason that occurs; stops counting at {@code atMost}. */
    Map<DeadReason, Long> deadByReason(Connection connection, int atMost) throws SQLException;

    int retryDead(Connection connection, List<RowKey> keys) throws SQLException;

    int discardDead(Connection connection, List<RowKey> keys) throws SQLException;

    Counts count(Connection connection, int atMost) throws SQLException;

    /** In the words of the tables; empty where they have none. */
    Map<String, RowCount> countsByStatus(Connection connection, int atMost) throws SQLException;

    /** How long ago the newest undelivered row was written, by its own time; negative if that lies ahead. */
    Optional<Duration> newestAge(Connection connection) throws SQLException;

    /** Deletes or archives delivered rows of at least this age. */
    int deleteDelivered(Connection connection, Duration age, int limit) throws SQLException;

    int deleteDead(Connection connection, Duration age, int limit) throws SQLException;

    /**
     * A row with its message.
     *
     * @param message throws whatever makes it unreadable
     */
    record WholeRow(Head head, Supplier<OutboxMessage> message) {

        /** Makes the message at once: what it is made of was just read, and is not needed any more. */
        static WholeRow of(Head head, Supplier<OutboxMessage> maker) {
            try {
                OutboxMessage message = maker.get();
                return new WholeRow(head, () -> message);
            } catch (RuntimeException problem) {
                return new WholeRow(head, () -> {
                    throw problem;
                });
            }
        }
    }

    /** A row that was given up. */
    record DeadRow(Head head, Duration deadFor) {}

    /**
     * How many rows there are, each counted up to a bound and estimated beyond it.
     *
     * @param undelivered those that wait included
     * @param waiting failed and not yet due; those that were looked at
     * @param kept delivered
     */
    record Counts(RowCount undelivered, long waiting, long dead, RowCount kept, Duration oldestAge) {}
}
