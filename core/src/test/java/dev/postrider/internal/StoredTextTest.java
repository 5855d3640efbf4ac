package dev.postrider.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoredTextTest {

    @Test
    void leavesAShortTextAsItIs() {
        assertThat(StoredText.of("broker said no 😀\n")).isEqualTo("broker said no 😀\n");
    }

    @Test
    void keepsTheBeginningOfALongText() {
        assertThat(StoredText.of("x".repeat(2_000))).isEqualTo("x".repeat(1_024));
        assertThat(StoredText.of("abc", 2)).isEqualTo("ab");
    }

    @Test
    void neverCutsASurrogatePair() {
        assertThat(StoredText.of("x".repeat(1_023) + "😀")).isEqualTo("x".repeat(1_023));
    }

    @Test
    void removesNulAndReplacesHalfASurrogatePair() {
        assertThat(StoredText.of("a\0b\uD83Dc")).isEqualTo("ab\uFFFDc");
    }
}
