package dev.postrider.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class LogThrottleTest {

    private final List<String> told = new ArrayList<>();
    private final List<Runnable> due = new ArrayList<>();
    private int leftOut;
    private long now;

    private final LogThrottle throttle =
            new LogThrottle(LoggerFactory.getLogger(LogThrottleTest.class), () -> now, (task, delay) -> due.add(task));

    private void fail(String kind) {
        throttle.failed(Level.WARN, kind, (level, note) -> {
            if (level == Level.DEBUG) {
                leftOut++;
            } else {
                told.add(level + " " + kind + " failed" + note);
            }
        });
    }

    private boolean work(String kind) {
        return throttle.worked(kind, (level, note) -> told.add(level + " " + kind + " works " + note));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private void passInterval() {
        pass(LogThrottle.INTERVAL);
        List<Runnable> tasks = List.copyOf(due);
        due.clear();
        tasks.forEach(Runnable::run);
    }

    @Test
    void tellsTheFirstThenACountForEachIntervalThenTheEnd() {
        for (int i = 0; i < 553; i++) {
            fail("a");
        }
        assertThat(told).containsExactly("WARN a failed");
        assertThat(leftOut).isEqualTo(552);

        passInterval();
        assertThat(told).containsExactly("WARN a failed", "WARN a failed; 552 more like it in 30 s");

        told.clear();
        pass(Duration.ofSeconds(8));
        fail("a");
        assertThat(told).isEmpty();
        assertThat(work("a")).isTrue();
        assertThat(told).containsExactly("INFO a works after 38 s, 554 failures");
    }

    @Test
    void tellsThatThereWereNoMoreWhereNobodySaysThatItWorks() {
        fail("a");
        pass(Duration.ofSeconds(4));
        fail("a");
        passInterval();
        told.clear();

        passInterval();

        assertThat(told).containsExactly("INFO a failed; this was the last of 2 in 4 s");
        assertThat(due).isEmpty();
    }

    @Test
    void saysNoMoreOfASingleFailure() {
        fail("a");
        passInterval();
        passInterval();

        assertThat(told).containsExactly("WARN a failed");
        assertThat(due).isEmpty();
    }

    @Test
    void staysQuietWhileItFailsAndWorksInTurns() {
        for (int i = 0; i < 100; i++) {
            fail("a");
            work("a");
        }
        assertThat(told).containsExactly("WARN a failed", "INFO a works after 0 ms, 1 failure");
        told.clear();

        passInterval();

        assertThat(told).containsExactly("WARN a failed; 99 more like it in 30 s, it works now");
        passInterval();
        assertThat(due).isEmpty();
    }

    @Test
    void tellsANewSeriesAtOnceWhenTheLastOneIsLongOver() {
        fail("a");
        work("a");
        passInterval();
        told.clear();

        fail("a");

        assertThat(told).containsExactly("WARN a failed");
    }

    @Test
    void countsKindsApart() {
        fail("a");
        fail("b");
        fail("b");

        assertThat(told).containsExactly("WARN a failed", "WARN b failed");
        assertThat(work("c")).isFalse();
    }

    @Test
    void countsKindsWithoutNumberTogether() {
        for (int i = 0; i < 3 * LogThrottle.MOST_KINDS; i++) {
            fail("kind-" + i);
        }

        assertThat(told).hasSize(LogThrottle.MOST_KINDS + 1);
        assertThat(leftOut).isEqualTo(2 * LogThrottle.MOST_KINDS - 1);
    }

    @Test
    void leavesNothingUntoldWhenItIsFlushed() {
        fail("a");
        fail("a");
        fail("a");

        throttle.flush();

        assertThat(told).containsExactly("WARN a failed", "WARN a failed; 2 more like it in 0 ms");
        passInterval();
        assertThat(told).hasSize(2);
    }

    @Test
    void showsTracesAtDebugAndOfWhatNobodyExpects() {
        Throwable expected = new UncheckedIOException("gone", new IOException("gone"));
        Throwable unexpected = new NullPointerException();

        assertThat(LogThrottle.trace(Level.WARN, expected)).isNull();
        assertThat(LogThrottle.trace(Level.DEBUG, expected)).isSameAs(expected);
        assertThat(LogThrottle.trace(Level.WARN, unexpected)).isSameAs(unexpected);
    }
}
