package dev.postrider.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StretchTest {

    @Test
    void endsWithTheLastMessage() {
        Stretch stretch = new Stretch(100);
        assertThat(stretch.reached(10)).isFalse();
        assertThat(stretch.reached(99)).isFalse();
        assertThat(stretch.reached(100)).isTrue();
        assertThat(stretch.rate()).isPositive().isFinite();
    }

    @Test
    void hasARateAlsoIfAllCameWithTheFirstBatch() {
        Stretch stretch = new Stretch(100);
        assertThat(stretch.reached(100)).isTrue();
        assertThat(stretch.rate()).isPositive().isFinite();
    }
}
