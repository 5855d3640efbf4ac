package dev.postrider.store.mysql;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The numbers that were drawn and that no read has shown: of inserts that were rolled back, of rows that other relays
 * delivered between two looks, and of inserts that wait for a lock and may still be written and commit.
 *
 * <p>Kept as ranges, a few hundred at most. Where there are more, the nearest ones of one age become one: it then holds numbers that were
 * seen too, which costs a little more to look up and is as right. Only where there are many are numbers given up unproven, and only
 * those that are older than two lock waits in a row may last at the server's own time-out, and that a last look does not show. (Two, because an insert that was granted its lock can find
 * its place locked again by another transaction that waited for the same one.)
 */
final class UnseenNumbers {

    static final int MOST_RANGES = 256;

    private static final int WAITS_IN_A_ROW = 2;
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int OLD_STRETCHES = 32;

    private final TreeMap<Long, NumberRange> ranges = new TreeMap<>();
    private Duration lockWaitTimeout = Duration.ofDays(1);
    private long highest;
    private boolean areMany;

    /** The highest number seen; nothing is known about the ones above. */
    long highest() {
        return highest;
    }

    /** The lowest number that no read has shown and that may still be written. */
    long lowest() {
        return ranges.isEmpty() ? Long.MAX_VALUE : ranges.firstKey();
    }

    /** No number up to this one needs to be looked for. */
    void startAfter(long seq) {
        highest = Math.max(highest, seq);
        for (NumberRange range : List.copyOf(ranges.headMap(seq, true).values())) {
            ranges.remove(range.from());
            if (range.to() > seq) {
                add(range.within(seq + 1, range.to()));
            }
        }
    }

    /** How long a wait for a row lock lasts at most, unless a session has its own limit. */
    void lockWaitTimeout(Duration timeout) {
        lockWaitTimeout = timeout;
    }

    /** A read has shown this number. */
    void saw(long seq, long nanos) {
        if (seq > highest) {
            if (seq > highest + 1) {
                add(new NumberRange(highest + 1, seq - 1, nanos));
            }
            highest = seq;
        } else {
            Map.Entry<Long, NumberRange> below = ranges.floorEntry(seq);
            if (below != null && below.getValue().contains(seq)) {
                split(below.getValue(), seq);
            }
        }
        keepFew(nanos);
    }

    private void add(NumberRange range) {
        ranges.put(range.from(), range);
    }

    private void split(NumberRange range, long seq) {
        ranges.remove(range.from());
        if (range.from() < seq) {
            add(range.within(range.from(), seq - 1));
        }
        if (seq < range.to()) {
            add(range.within(seq + 1, range.to()));
        }
    }

    /** Those up to a number. */
    List<NumberRange> upTo(long seq) {
        return ranges.headMap(seq, true).values().stream()
                .map(range -> range.within(range.from(), seq))
                .toList();
    }

    /** The lowest number above another that was passed after a moment. */
    long firstAbove(long seq, long passedAfter) {
        return ranges.values().stream()
                .filter(range -> range.to() > seq && range.passedAt() - passedAfter > 0)
                .mapToLong(range -> Math.max(range.from(), seq + 1))
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    /** Forgets the numbers above one and up to another that were passed before a moment, except those that a read has just shown. */
    void bury(long passedBefore, long above, long upTo, List<Long> visible) {
        for (NumberRange range : List.copyOf(ranges.headMap(upTo, true).values())) {
            if (range.to() > above && range.passedAt() - passedBefore <= 0) {
                ranges.remove(range.from());
                if (range.from() <= above) {
                    add(range.within(range.from(), above));
                }
                if (range.to() > upTo) {
                    add(range.within(upTo + 1, range.to()));
                }
                visible.stream().filter(range::contains).forEach(seq -> add(range.within(seq, seq)));
            }
        }
        keepFew(passedBefore);
    }

    void clear() {
        ranges.clear();
        highest = 0;
    }

    private void keepFew(long nanos) {
        if (ranges.size() > MOST_RANGES) {
            areMany = true;
            joinNearest(List.copyOf(ranges.values()), MOST_RANGES / 2, nanos);
        }
    }

    private void joinNearest(List<NumberRange> all, int most, long nanos) {
        long[] distances = IntStream.range(1, all.size())
                .filter(i -> areOfOneAge(all.get(i - 1), all.get(i), nanos))
                .mapToLong(i -> all.get(i).from() - all.get(i - 1).to())
                .sorted()
                .toArray();
        if (distances.length == 0) {
            return;
        }
        long near = distances[Math.min(distances.length, all.size() - most) - 1];
        for (int i = 1; i < all.size() && ranges.size() > most; i++) {
            boolean isNear = all.get(i).from() - all.get(i - 1).to() <= near;
            if (isNear && areOfOneAge(all.get(i - 1), all.get(i), nanos)) {
                joinToTheOneBelow(all.get(i));
            }
        }
    }

    /**
     * Only numbers that were passed in the same stretch of time are joined, and count as passed at its last moment: none is given up
     * too early, and none becomes young again by being joined to the next, and the next. The stretches are so long that there are
     * fewer than half as many as ranges: a second for the last minute, in which the horizon waits for them, and longer before.
     */
    private boolean areOfOneAge(NumberRange one, NumberRange other, long nanos) {
        long stretch = nanos - other.passedAt() <= MINUTE_NANOS
                ? SECOND_NANOS
                : Math.max(SECOND_NANOS, givenUpAfterNanos() / OLD_STRETCHES);
        return Math.floorDiv(one.passedAt(), stretch) == Math.floorDiv(other.passedAt(), stretch);
    }

    private void joinToTheOneBelow(NumberRange range) {
        NumberRange below = ranges.lowerEntry(range.from()).getValue();
        ranges.remove(range.from());
        add(new NumberRange(below.from(), range.to(), range.passedAt()));
    }

    private long givenUpAfterNanos() {
        return lockWaitTimeout.multipliedBy(WAITS_IN_A_ROW).plus(MARGIN).toNanos();
    }

    /** Where there are many, numbers that were passed before this moment are given up, once a last look has not shown them. */
    OptionalLong givenUpBefore(long nanos) {
        areMany &= ranges.size() > MOST_RANGES / 4;
        return areMany ? OptionalLong.of(nanos - givenUpAfterNanos()) : OptionalLong.empty();
    }
}
