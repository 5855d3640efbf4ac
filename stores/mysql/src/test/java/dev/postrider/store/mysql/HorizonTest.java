package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HorizonTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Duration LOCK_WAIT = Duration.ofSeconds(50);

    private final Horizon horizon = new Horizon();

    /** Somebody always waits, numbers are many, and one that was passed long ago is written at last, but not yet committed. */
    @Test
    void looksOnceMoreAtANumberBeforeItIsGivenUp() {
        List<Long> seen =
                LongStream.rangeClosed(1, 600).filter(n -> n % 2 == 0).boxed().toList();
        horizon.looked(seen, List.of(), Long.MAX_VALUE, SECOND);
        horizon.counted(new RowLockWaits(1, LOCK_WAIT), 2 * SECOND);
        horizon.move(Probe.of(600, List.of(), List.of(), 1000), 10 * SECOND);
        assertThat(horizon.seq()).isEqualTo(600);

        long old = 1000 * SECOND;
        assertThat(horizon.suspects(old)).anyMatch(range -> range.contains(301));
        horizon.looked(List.of(), List.of(301L), Long.MAX_VALUE, old);

        assertThat(horizon.toLookUp(600)).containsExactly(new NumberRange(301, 301, SECOND));
    }
}
