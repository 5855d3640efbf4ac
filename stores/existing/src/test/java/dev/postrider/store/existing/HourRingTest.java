package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which hours of the day may be emptied. */
class HourRingTest {

    @Test
    void keepsThePresentHourAndThoseBeforeItForEveryHourAndRetention() {
        for (int hour = 0; hour < 24; hour++) {
            for (int retention = 1; retention <= 23; retention++) {
                List<Integer> emptied = HourRing.toTruncate(hour, 30, retention);
                int now = hour;
                List<Integer> kept = IntStream.range(0, retention)
                        .map(back -> Math.floorMod(now - back, 24))
                        .boxed()
                        .toList();
                assertThat(emptied).hasSize(24 - retention).isSorted().doesNotContainAnyElementsOf(kept);
            }
        }
    }

    @Test
    void givesTheExampleOfElevenAndTwo() {
        assertThat(HourRing.toTruncate(11, 0, 2))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
    }

    @Test
    void leavesTheNextHourAloneShortlyBeforeItBegins() {
        assertThat(HourRing.toTruncate(23, 59, 1)).doesNotContain(0, 23).hasSize(22);
        assertThat(HourRing.toTruncate(23, 57, 1)).contains(0);
    }

    @Test
    void knowsWhichRetentionsFitIntoADay() {
        assertThat(HourRing.canKeep(Duration.ofHours(23))).isTrue();
        assertThat(HourRing.canKeep(Duration.ofMinutes(30))).isTrue();
        assertThat(HourRing.canKeep(Duration.ofHours(24))).isFalse();
        assertThat(HourRing.canKeep(Duration.ZERO)).isFalse();
    }
}
