package dev.postrider.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DrainTimerTest {

    @Test
    void endsWithTheLastMessage() {
        DrainTimer timer = new DrainTimer(100);
        assertThat(timer.reached(10)).isFalse();
        assertThat(timer.reached(99)).isFalse();
        assertThat(timer.reached(100)).isTrue();
        assertThat(timer.rate()).isPositive().isFinite();
    }

    @Test
    void hasARateAlsoIfAllCameWithTheFirstBatch() {
        DrainTimer timer = new DrainTimer(100);
        assertThat(timer.reached(100)).isTrue();
        assertThat(timer.rate()).isPositive().isFinite();
    }
}
