package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ProbeTest {

    private static final int LIMIT = 4;

    @Test
    void reachesTheTargetWhenNothingIsInDoubt() {
        assertThat(probe(20, List.of(8L, 9L), committed(8, 9)).safeUpTo()).isEqualTo(20);
    }

    @Test
    void stopsBelowTheFirstRowThatOnlyTheDirtyReadSaw() {
        assertThat(probe(20, List.of(8L, 9L, 10L), committed(8, 10)).safeUpTo()).isEqualTo(8);
    }

    @Test
    void leavesOutTheTipAboveTheRange() {
        assertThat(probe(20, List.of(8L, 25L), committed(8)).safeUpTo()).isEqualTo(20);
    }

    @Test
    void endsWhereTheDirtyReadReachedItsLimit() {
        assertThat(probe(20, List.of(1L, 2L, 3L, 4L), committed(1, 2, 3)).upTo())
                .isEqualTo(4);
    }

    @Test
    void endsWhereTheCommittedReadReachedItsLimit() {
        Probe probe = probe(20, List.of(11L), committed(1, 2, 3, 4));

        assertThat(probe.upTo()).isEqualTo(4);
        assertThat(probe.safeUpTo()).isEqualTo(4);
    }

    private static Probe probe(long target, List<Long> dirty, List<SeenRow> committed) {
        return Probe.of(target, dirty, committed, LIMIT);
    }

    private static List<SeenRow> committed(long... seqs) {
        return LongStream.of(seqs).mapToObj(seq -> new SeenRow(seq, 0, false)).toList();
    }
}
