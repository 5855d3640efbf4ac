package dev.postrider.testkit;

import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowRef;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Dead letters in memory. */
final class InMemoryDeadLetters implements DeadLetters {

    private static final Comparator<RowRef> BY_LANE_AND_SEQ =
            Comparator.comparingInt(RowRef::lane).thenComparingLong(RowRef::seq);

    private final InMemoryTables tables;

    InMemoryDeadLetters(InMemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter> after, int limit) {
        return tables.run(
                "deadLetters.list",
                () -> behind(after.map(DeadLetter::ref), filter).limit(limit).toList());
    }

    @Override
    public int requestRetry(DeadLetterFilter filter, int limit, String operator) {
        return requestRetry(filter, letter -> true, limit, operator);
    }

    @Override
    public int requestRetry(DeadLetterFilter filter, List<RowRef> letters, String operator) {
        return requestRetry(filter, new HashSet<>(letters)::contains, letters.size(), operator);
    }

    private int requestRetry(DeadLetterFilter filter, Predicate<RowRef> isMeant, int limit, String operator) {
        return tables.run("deadLetters.requestRetry", () -> {
            List<DeadLetter> letters = matching(filter)
                    .filter(letter -> isMeant.test(letter.ref()))
                    .filter(letter -> !letter.retryRequested() && letter.reason() != DeadReason.UNREADABLE)
                    .limit(limit)
                    .toList();
            letters.forEach(
                    letter -> tables.dead(letter.ref().lane()).put(letter.ref().seq(), requested(letter)));
            tables.record(operator, "retry", filter.describe(), letters.size());
            return letters.size();
        });
    }

    private Stream<DeadLetter> behind(Optional<RowRef> after, DeadLetterFilter filter) {
        return matching(filter)
                .filter(letter -> after.map(ref -> BY_LANE_AND_SEQ.compare(letter.ref(), ref) > 0)
                        .orElse(true));
    }

    @Override
    public int discard(DeadLetterFilter filter, int limit, String operator) {
        return discard(filter, letter -> true, limit, operator);
    }

    @Override
    public int discard(DeadLetterFilter filter, List<RowRef> letters, String operator) {
        return discard(filter, new HashSet<>(letters)::contains, letters.size(), operator);
    }

    private int discard(DeadLetterFilter filter, Predicate<RowRef> isMeant, int limit, String operator) {
        return tables.run("deadLetters.discard", () -> {
            List<DeadLetter> letters = matching(filter)
                    .filter(letter -> isMeant.test(letter.ref()))
                    .limit(limit)
                    .toList();
            letters.forEach(letter ->
                    tables.dead(letter.ref().lane()).remove(letter.ref().seq()));
            tables.record(operator, "discard", filter.describe(), letters.size());
            return letters.size();
        });
    }

    private Stream<DeadLetter> matching(DeadLetterFilter filter) {
        return tables.dead.values().stream()
                .flatMap(lane -> lane.values().stream())
                .filter(filter::matches)
                .sorted(Comparator.comparing(DeadLetter::ref, BY_LANE_AND_SEQ));
    }

    private static DeadLetter requested(DeadLetter letter) {
        return new DeadLetter(
                letter.ref(),
                letter.message(),
                letter.reason(),
                letter.attempts(),
                letter.error(),
                letter.createdAt(),
                letter.firstFailedAt(),
                letter.diedAt(),
                true,
                letter.isReadable());
    }
}
