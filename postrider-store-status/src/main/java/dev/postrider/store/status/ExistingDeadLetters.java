package dev.postrider.store.status;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.TransactionRunner;
import dev.postrider.store.status.Head.Texts;
import dev.postrider.store.status.RowReader.ReadRow;
import dev.postrider.store.status.Rows.DeadRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    private final Shelf shelf;

    ExistingDeadLetters(Rows rows, RowReader reader, TransactionRunner transactions, Shelf shelf) {
        this.rows = rows;
        this.reader = reader;
        this.transactions = transactions;
        this.shelf = shelf;
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter> after, int limit) {
        List<DeadLetter> letters = new ArrayList<>();
        boolean[] isPast = {after.isEmpty()};
        forEach(filter, (key, letter) -> {
            if (isPast[0]) {
                letters.add(letter);
            }
            isPast[0] |= after.isPresent()
                    && letter.ref().id().equals(after.get().ref().id());
            return letters.size() < limit;
        });
        return letters;
    }

    @Override
    public Optional<DeadLetter> find(MessageId id) {
        return list(DeadLetterFilter.byId(id), Optional.empty(), 1).stream().findFirst();
    }

    @Override
    public long count(DeadLetterFilter filter, long atMost) {
        long[] count = {0};
        forEach(filter, (key, letter) -> ++count[0] < atMost);
        return Math.min(count[0], atMost);
    }

    @Override
    public int requestRetry(DeadLetterFilter filter, int limit, String operator) {
        List<RowKey> keys = keys(filter, limit, false);
        int count = shelved(keys);
        if (rows.remembersDead() && !keys.isEmpty()) {
            count += transactions.inTransaction("retry dead letters", connection -> rows.retryDead(connection, keys));
        }
        LOG.info("{} asked for a retry of {} dead letters of {}", operator, count, rows.name());
        return count;
    }

    private int shelved(List<RowKey> keys) {
        return (int) keys.stream().filter(shelf::forget).count();
    }

    @Override
    public int discard(DeadLetterFilter filter, int limit, String operator) {
        List<RowKey> keys = keys(filter, limit, true);
        if (keys.isEmpty()) {
            return 0;
        }
        int count = transactions.inTransaction("discard dead letters", connection -> {
            if (rows.remembersDead()) {
                return rows.discardDead(connection, keys);
            }
            rows.apply(
                    connection,
                    keys.stream().<Outcome>map(Outcome.Delivered::new).toList(),
                    Optional.empty());
            return keys.size();
        });
        shelved(keys);
        LOG.info("{} discarded {} dead letters of {}", operator, count, rows.name());
        return count;
    }

    private List<RowKey> keys(DeadLetterFilter filter, int limit, boolean withUnreadable) {
        List<RowKey> keys = new ArrayList<>();
        forEach(filter, (key, letter) -> {
            if (withUnreadable || letter.reason() != DeadReason.UNREADABLE) {
                keys.add(key);
            }
            return keys.size() < limit;
        });
        return keys;
    }

    /** Goes through all that match until the visitor has enough. */
    private void forEach(DeadLetterFilter filter, Visitor visitor) {
        if (!rows.remembersDead()) {
            fromShelf(filter, visitor);
            return;
        }
        Optional<RowKey> after = Optional.empty();
        List<Found> page;
        do {
            page = page(after);
            for (Found found : page) {
                if (LetterMatch.matches(found.letter(), filter) && !visitor.visit(found.key(), found.letter())) {
                    return;
                }
            }
            after = page.isEmpty()
                    ? Optional.empty()
                    : Optional.of(page.get(page.size() - 1).key());
        } while (page.size() == PAGE);
    }

    private void fromShelf(DeadLetterFilter filter, Visitor visitor) {
        for (Shelf.Entry entry : shelf.dead()) {
            Outcome.Dead dead = entry.dead().orElseThrow();
            DeadLetter letter = letter(
                    entry.head(),
                    Optional.empty(),
                    dead.reason(),
                    entry.attempts(),
                    dead.error(),
                    java.time.Duration.ZERO);
            if (LetterMatch.matches(letter, filter)
                    && !visitor.visit(entry.head().key(), letter)) {
                return;
            }
        }
    }

    private List<Found> page(Optional<RowKey> after) {
        return transactions.inTransaction("read dead letters", connection -> {
            List<Found> page = new ArrayList<>();
            for (DeadRow row : rows.dead(connection, after, PAGE)) {
                String error = row.head().text(Texts.ERROR).orElse("");
                List<ReadRow> read = rows.deadStaysInPlace() ? reader.read(connection, List.of(row.head())) : List.of();
                Optional<OutboxMessage> message = read.stream().findFirst().flatMap(ReadRow::message);
                page.add(new Found(
                        row.head().key(),
                        letter(
                                row.head(),
                                message,
                                Outcome.Dead.reasonOf(error),
                                row.head().attempts(),
                                error,
                                row.deadFor())));
            }
            return page;
        });
    }

    private static DeadLetter letter(
            Head head,
            Optional<OutboxMessage> message,
            DeadReason reason,
            int attempts,
            String error,
            java.time.Duration deadFor) {
        return new DeadLetter(
                new RowRef(0, 0, head.id()),
                message.orElseGet(() -> LetterMatch.standIn(head)),
                reason,
                attempts,
                error,
                head.createdAt(),
                Optional.empty(),
                head.databaseTime().minus(deadFor),
                false);
    }

    /** Looks at one letter; false to stop. */
    private interface Visitor {
        boolean visit(RowKey key, DeadLetter letter);
    }

    private record Found(RowKey key, DeadLetter letter) {}
}
