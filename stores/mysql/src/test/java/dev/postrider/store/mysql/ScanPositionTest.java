package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScanPositionTest {

    @Test
    void readsWhatItWrote() {
        ScanPosition position = new ScanPosition(new Incarnation("uuid@host:3306", 1_700_000_000), 42);

        assertThat(ScanPosition.parse(position.format())).contains(position);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "my2", "my1 a 1 2", "my2 a 1 2 3", "my2 a b 2", "my2 a 1 c", "pg1 a 1 2"})
    void ignoresWhatOthersWrote(String text) {
        assertThat(ScanPosition.parse(text)).isEmpty();
    }
}
