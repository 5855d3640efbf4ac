package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import dev.postrider.store.postgres.FetchedBatch.Room;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FoundPagesTest {

    private static final int LANE = 3;
    private static final Room ROOM = new Room(4, 50, false);

    @Test
    void returnsNoRowBehindOneThatDidNotFit() {
        FoundPages pages = pages(row(1, 10), tooLarge(2), row(3, 10));
        assertThat(pages.of(LANE)).extracting(FoundRow::hasContent).containsExactly(true, false, false);
        assertThat(pages.haveLargeRows()).isTrue();
    }

    @Test
    void leavesTheRowBeyondTheShareForTheNextPage() {
        FoundPages pages = pages(row(1, 10), row(2, 10), row(3, 10), row(4, 10), row(5, 10));
        assertThat(pages.of(LANE)).extracting(FoundRow::hasContent).containsExactly(true, true, true, true, false);
        assertThat(pages.haveLargeRows()).isFalse();
    }

    @Test
    void bringsRowsIntoTheirOrder() {
        FoundPages pages = pages(row(7, 1), row(5, 1));
        assertThat(pages.of(LANE)).extracting(FoundRow::seq).containsExactly(5L, 7L);
    }

    @Test
    void seesARowThatIsLargerThanItsPartOfTheBytes() {
        assertThat(pages(row(1, 11)).haveLargeRows()).isTrue();
    }

    @Test
    void hasNothingOfALaneWithoutRows() {
        assertThat(pages(row(1, 1)).of(LANE + 1)).isEmpty();
    }

    @Test
    void tellsPagesWithoutAnyRowThatFitsFromEmptyOnes() {
        assertThat(pages(tooLarge(1), row(2, 1)).haveOnlyLargeRows()).isTrue();
        assertThat(pages(row(1, 1), tooLarge(2)).haveOnlyLargeRows()).isFalse();
        assertThat(pages().haveOnlyLargeRows()).isFalse();
    }

    private static FoundPages pages(FoundRow... rows) {
        Moment moment = new Moment(Snapshot.of("1:1:"), "token", Instant.EPOCH);
        return FoundPages.ofSmallRows(new Observed<>(moment, List.of(rows)), ROOM);
    }

    private static FoundRow row(long seq, int bytes) {
        OutboxMessage message = OutboxMessage.builder("orders")
                .type("Placed")
                .payload(new byte[bytes])
                .build();
        RowRef ref = new RowRef(LANE, seq, message.id());
        return new FoundRow(LANE, seq, Optional.of(new OutboxRow.Hot(ref, message, Instant.EPOCH, KeyState.FREE)));
    }

    private static FoundRow tooLarge(long seq) {
        return new FoundRow(LANE, seq, Optional.empty());
    }
}
