package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.spi.RowRef;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastNumbersTest {

    private final LastNumbers last = new LastNumbers();

    @Test
    void areUsedAgainWhenARowIsAdded() {
        last.areUsedAgain(List.of(row(98, 1)), 100, List.of());

        assertThat(last.toRead(105)).extracting(NumberRange::to).containsExactly(100L, 105L);
        assertThat(last.areUsedAgain(List.of(row(98, 1), row(103, 1)), 105, List.of()))
                .isFalse();
        assertThat(last.areUsedAgain(List.of(row(104, 1)), 105, List.of())).isTrue();
    }

    @Test
    void areUsedAgainWhenARowIsAnotherOne() {
        last.areUsedAgain(List.of(row(98, 1)), 100, List.of());

        assertThat(last.areUsedAgain(List.of(row(98, 2)), 100, List.of())).isTrue();
    }

    /** It waited for a lock below the horizon, has been fetched by now, and is no longer among those that may appear. */
    @Test
    void areNotUsedAgainByANumberThatCouldStillAppear() {
        last.areUsedAgain(List.of(), 100, List.of(new NumberRange(97, 98, 0)));

        assertThat(last.areUsedAgain(List.of(row(98, 1)), 100, List.of())).isFalse();
    }

    private static RowRef row(long seq, long id) {
        return new RowRef(0, seq, new MessageId(1, id));
    }
}
