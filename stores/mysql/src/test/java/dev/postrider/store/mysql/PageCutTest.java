package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PageCutTest {

    @Test
    void takesEverythingThatFits() {
        PageCut cut = PageCut.of(rows(10, 20, 30), 3, 60);

        assertThat(cut.rows()).hasSize(3);
        assertThat(cut.isCut()).isFalse();
    }

    @Test
    void cutsByRows() {
        PageCut cut = PageCut.of(rows(10, 20, 30), 2, 1000);

        assertThat(cut.lastSeq()).isEqualTo(2);
        assertThat(cut.isCut()).isTrue();
        assertThat(cut.isCutByBytes()).isFalse();
    }

    @Test
    void cutsByBytes() {
        PageCut cut = PageCut.of(rows(10, 20, 30), 3, 59);

        assertThat(cut.lastSeq()).isEqualTo(2);
        assertThat(cut.isCutByBytes()).isTrue();
    }

    @Test
    void takesOneRowHoweverLargeItIs() {
        assertThat(PageCut.of(rows(1000, 1), 10, 5).rows()).hasSize(1);
    }

    private static List<HotRow> rows(long... bytes) {
        return LongStream.range(0, bytes.length)
                .mapToObj(index -> new HotRow(index + 1, bytes[(int) index], Optional.empty()))
                .toList();
    }
}
