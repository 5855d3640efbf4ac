package dev.postrider.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UuidV7GeneratorTest {

    /** More than the 12-bit counter of a millisecond can count. */
    private static final int MORE_THAN_A_MILLISECOND_HOLDS = 10_000;

    private final Instant start = Instant.parse("2026-11-01T12:00:00.123Z");
    private final SteppingClock clock = new SteppingClock(start);
    private final UuidV7Generator generator = new UuidV7Generator(clock);

    @Test
    void marksVersionSevenAndTheStandardVariant() {
        assertThat(next(1000)).allSatisfy(id -> {
            assertThat(id.toUuid().version()).isEqualTo(7);
            assertThat(id.toUuid().variant()).isEqualTo(2);
        });
    }

    @Test
    void beginsWithTheMillisecondsOfItsClock() {
        assertThat(millisOf(generator.next())).isEqualTo(start.toEpochMilli());

        clock.step(Duration.ofDays(1));

        assertThat(millisOf(generator.next()))
                .isEqualTo(start.plus(Duration.ofDays(1)).toEpochMilli());
    }

    @Test
    void growsWithinOneMillisecond() {
        assertThat(next(2000)).isSortedAccordingTo(strictly()).doesNotHaveDuplicates();
    }

    @Test
    void growsWhenTheClockStepsBackByAnHour() {
        List<MessageId> ids = next(100);
        clock.step(Duration.ofHours(-1));
        ids.addAll(next(100));

        assertThat(ids).isSortedAccordingTo(strictly()).doesNotHaveDuplicates();
        assertThat(millisOf(ids.get(199)) - start.toEpochMilli()).isLessThanOrEqualTo(1);
    }

    @Test
    void followsTheClockAgainWhenItHasCaughtUp() {
        generator.next();
        clock.step(Duration.ofHours(-1));
        generator.next();
        clock.step(Duration.ofHours(2));

        assertThat(millisOf(generator.next()))
                .isEqualTo(start.plus(Duration.ofHours(1)).toEpochMilli());
    }

    @Test
    void runsAheadOfAStandingClockInsteadOfWaitingForIt() {
        List<MessageId> ids = next(MORE_THAN_A_MILLISECOND_HOLDS);

        assertThat(ids).isSortedAccordingTo(strictly()).doesNotHaveDuplicates();
        assertThat(millisOf(ids.get(ids.size() - 1)) - start.toEpochMilli()).isBetween(2L, 5L);
    }

    @Test
    void growsOnAClockFromBeforeTheEpoch() {
        UuidV7Generator early = new UuidV7Generator(new SteppingClock(Instant.parse("1969-07-20T20:17:40Z")));
        List<MessageId> ids = Stream.generate(early::next)
                .limit(MORE_THAN_A_MILLISECOND_HOLDS)
                .toList();

        assertThat(ids)
                .isSortedAccordingTo(strictly())
                .allSatisfy(id -> assertThat(id.toUuid().version()).isEqualTo(7));
        assertThat(ids.get(0)).isLessThan(generator.next());
    }

    @Test
    void neverRepeatsAnIdAcrossThreadsAndGrowsInEach() throws Exception {
        int threads = 8;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier together = new CyclicBarrier(threads);
            Callable<List<MessageId>> draw = () -> {
                together.await();
                return next(5000);
            };
            // The part that is not random: it alone must be different in each.
            Set<Long> all = new HashSet<>();
            for (Future<List<MessageId>> drawn :
                    pool.invokeAll(Stream.generate(() -> draw).limit(threads).toList())) {
                assertThat(drawn.get()).isSortedAccordingTo(strictly());
                drawn.get().forEach(id -> all.add(id.mostSignificantBits()));
            }
            assertThat(all).hasSize(threads * 5000);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void twoGeneratorsOnOneClockDoNotMeet() {
        UuidV7Generator other = new UuidV7Generator(clock);
        Set<MessageId> ids = new HashSet<>(next(1000));
        for (int i = 0; i < 1000; i++) {
            ids.add(other.next());
        }

        assertThat(ids).hasSize(2000);
    }

    @Test
    void isTheGeneratorOfAMessageThatNamesNoOther() {
        MessageId id =
                OutboxMessage.builder("orders").type("OrderPlaced").build().id();

        assertThat(id.toUuid().version()).isEqualTo(7);
        assertThat(MessageIdGenerator.uuidV7().next()).isGreaterThan(id);
    }

    private List<MessageId> next(int count) {
        List<MessageId> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ids.add(generator.next());
        }
        return ids;
    }

    /** Equal neighbours count as unsorted. */
    private static Comparator<MessageId> strictly() {
        return (left, right) -> left.equals(right) ? 1 : left.compareTo(right);
    }

    private static long millisOf(MessageId id) {
        return id.mostSignificantBits() >>> 16;
    }
}
