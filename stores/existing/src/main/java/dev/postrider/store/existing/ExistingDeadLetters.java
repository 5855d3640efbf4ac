package dev.postrider.store.existing;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.store.existing.Head.Texts;
import dev.postrider.store.existing.Rows.DeadRow;
import dev.postrider.store.jdbc.TransactionRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows that were given up, by their id. A retry takes effect at once, since nobody owns such rows. What operators do is logged.
 *
 * <p>Filters are applied here, so every call may read all rows that were given up.
 */
final class ExistingDeadLetters implements DeadLetters {

    private static final Logger LOG = LoggerFactory.getLogger(ExistingDeadLetters.class);
    private static final int PAGE = 500;

    private final Rows rows;
    private final RowReader reader;
    private final TransactionRunner transactions;
    private final FailureMemory failures;

    ExistingDeadLetters(Rows rows, RowReader reader, TransactionRunner transactions, FailureMemory failures) {
        this.rows = rows;
        this.reader = reader;
        this.transactions = transactions.unlimited();
        this.failures = failures;
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter> after, int limit) {
        List<Found> letters = new ArrayList<>();
        boolean[] isPast = {after.isEmpty()};
        forEach(filter, found -> {
            if (isPast[0]) {
                letters.add(found);
            }
            isPast[0] |= after.isPresent()
                    && found.letter().ref().id().equals(after.get().ref().id());
            return letters.size() < limit;
        });
        return letters.isEmpty() ? List.of() : withMessages(letters);
    }

    /** So far only what is small was read. */
    private List<DeadLetter> withMessages(List<Found> letters) {
        Place place = rows.remembersDead() ? Place.GIVEN_UP : Place.PENDING;
        Map<RowKey, OutboxMessage> messages = new HashMap<>();
        transactions.run(
                "read dead letters",
                connection -> reader.read(
                                connection,
                                place,
                                letters.stream().map(Found::head).toList())
                        .forEach(row -> row.message()
                                .ifPresent(message -> messages.put(row.head().key(), message))));
        return letters.stream()
                .map(found -> found.withMessage(Optional.ofNullable(messages.get(found.key()))))
                .toList();
    }

    /** In one look: to find that a reason does not occur, all rows would be read for each. */
    @Override
    public Map<DeadReason, Long> countByReason(int atMost) {
        return rows.remembersDead()
                ? transactions.inTransaction("count dead letters", connection -> rows.deadByReason(connection, atMost))
                : DeadLetters.super.countByReason(atMost);
    }

    @Override
    public List<RowRef> refs(DeadLetterFilter filter, int limit) {
        List<RowRef> refs = new ArrayList<>();
        forEach(filter, found -> {
            refs.add(found.letter().ref());
            return refs.size() < limit;
        });
        return refs;
    }

    @Override
    public int requestRetry(DeadLetterFilter filter, int limit, String operator) {
        return requestRetry(keys(filter, id -> true, limit, false), operator);
    }

    @Override
    public int requestRetry(DeadLetterFilter filter, List<RowRef> letters, String operator) {
        return requestRetry(keys(filter, ids(letters)::contains, letters.size(), false), operator);
    }

    private int requestRetry(List<RowKey> keys, String operator) {
        int count = shelved(keys);
        if (rows.remembersDead() && !keys.isEmpty()) {
            count += transactions.inTransaction("retry dead letters", connection -> rows.retryDead(connection, keys));
        }
        LOG.info("{} asked for a retry of {} dead letters of {}", operator, count, rows.name());
        return count;
    }

    private int shelved(List<RowKey> keys) {
        return (int) keys.stream().filter(failures::forget).count();
    }

    @Override
    public int discard(DeadLetterFilter filter, int limit, String operator) {
        return discard(keys(filter, id -> true, limit, true), operator);
    }

    @Override
    public int discard(DeadLetterFilter filter, List<RowRef> letters, String operator) {
        return discard(keys(filter, ids(letters)::contains, letters.size(), true), operator);
    }

    private static Set<MessageId> ids(List<RowRef> letters) {
        return letters.stream().map(RowRef::id).collect(Collectors.toSet());
    }

    private int discard(List<RowKey> keys, String operator) {
        if (keys.isEmpty()) {
            return 0;
        }
        int count = transactions.inTransaction("discard dead letters", connection -> {
            if (rows.remembersDead()) {
                return rows.discardDead(connection, keys);
            }
            rows.apply(connection, Rows.allDelivered(keys), Optional.empty());
            return keys.size();
        });
        shelved(keys);
        LOG.info("{} discarded {} dead letters of {}", operator, count, rows.name());
        return count;
    }

    private List<RowKey> keys(
            DeadLetterFilter filter, Predicate<MessageId> isMeant, int limit, boolean withUnreadable) {
        List<RowKey> keys = new ArrayList<>();
        forEach(filter, found -> {
            boolean isPossible = withUnreadable || found.letter().reason() != DeadReason.UNREADABLE;
            if (isPossible && isMeant.test(found.letter().ref().id())) {
                keys.add(found.key());
            }
            return keys.size() < limit;
        });
        return keys;
    }

    /** Goes through all that match until the visitor has enough. */
    private void forEach(DeadLetterFilter filter, Predicate<Found> visitor) {
        if (!rows.remembersDead()) {
            visit(failures.dead().stream().map(ExistingDeadLetters::found).toList(), filter, visitor);
            return;
        }
        Optional<RowKey> after = Optional.empty();
        List<Found> page;
        do {
            page = page(after);
            after = page.stream().reduce((first, second) -> second).map(Found::key);
        } while (visit(page, filter, visitor) && page.size() == PAGE);
    }

    /** Returns whether the visitor wants more. */
    private static boolean visit(List<Found> page, DeadLetterFilter filter, Predicate<Found> visitor) {
        for (Found found : page) {
            if (filter.matches(found.letter()) && !visitor.test(found)) {
                return false;
            }
        }
        return true;
    }

    private static Found found(FailureMemory.FailedRow entry) {
        RowOutcome.Dead dead = entry.dead().orElseThrow();
        return new Found(
                entry.head(), letter(entry.head(), dead.reason(), dead.attempts(), dead.error(), Duration.ZERO));
    }

    private List<Found> page(Optional<RowKey> after) {
        return transactions.inTransaction(
                "read dead letters",
                connection -> rows.dead(connection, after, PAGE).stream()
                        .map(ExistingDeadLetters::found)
                        .toList());
    }

    private static Found found(DeadRow row) {
        String error = row.head().text(Texts.ERROR).orElse("");
        return new Found(
                row.head(),
                letter(row.head(), DeadText.reasonOf(error), row.head().attempts(), error, row.deadFor()));
    }

    private static DeadLetter letter(Head head, DeadReason reason, int attempts, String error, Duration deadFor) {
        return new DeadLetter(
                new RowRef(0, 0, head.id()),
                head.standIn(),
                reason,
                attempts,
                error,
                head.createdAt(),
                Optional.empty(),
                head.databaseTime().minus(deadFor),
                false,
                true);
    }

    /** A letter with a stand-in for its message. */
    private record Found(Head head, DeadLetter letter) {

        RowKey key() {
            return head.key();
        }

        DeadLetter withMessage(Optional<OutboxMessage> message) {
            return new DeadLetter(
                    letter.ref(),
                    message.orElse(letter.message()),
                    letter.reason(),
                    letter.attempts(),
                    letter.error(),
                    letter.createdAt(),
                    letter.firstFailedAt(),
                    letter.diedAt(),
                    letter.retryRequested(),
                    message.isPresent());
        }
    }
}
