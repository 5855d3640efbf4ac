package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The cluster's timestamps are hundreds here, the relay's clock counts seconds. */
class OpenTransactionsTest {

    private final OpenTransactions transactions = new OpenTransactions();

    @Test
    void knowsNothingBeforeAnAnswer() {
        assertThat(transactions.endedBefore()).isEmpty();
    }

    @Test
    void whereNoneIsOpenAllHaveEndedThatCouldHaveDrawnANumberASecondBefore() {
        answered(10, 500, 500);

        assertThat(endedBefore()).isEqualTo(9);
    }

    @Test
    void goesBackToTheLastQuestionBeforeTheOldestBegan() {
        answered(10, 500, 500);
        answered(20, 600, 590);
        answered(30, 700, 590);

        assertThat(endedBefore()).isEqualTo(9);
    }

    @Test
    void saysNothingOfATimeBeforeTheFirstQuestion() {
        answered(10, 500, 400);

        assertThat(transactions.endedBefore()).isEmpty();
    }

    @Test
    void movesWhenTheOldestEnds() {
        answered(10, 500, 450);
        answered(20, 600, 450);
        answered(30, 700, 650);

        assertThat(endedBefore()).isEqualTo(19);
    }

    /** It had drawn nothing when it was not counted. */
    @Test
    void keepsWhatItKnewWhenAnOlderTransactionComesToTheTable() {
        answered(10, 500, 500);
        answered(20, 600, 100);

        assertThat(endedBefore()).isEqualTo(9);
    }

    @Test
    void staysRightBesideATransactionThatIsOpenForHours() {
        answered(1, 500, 500);
        for (int second = 2; second < 20_000; second++) {
            answered(second, 600 + second, 550);
        }
        assertThat(endedBefore()).isZero();

        answered(20_000, 30_000, 18_600);

        assertThat(endedBefore()).isBetween(10_000L, 17_999L);
    }

    private void answered(long second, long now, long oldest) {
        transactions.answered(TimeUnit.SECONDS.toNanos(second), new TransactionStarts(now, oldest));
    }

    private long endedBefore() {
        return TimeUnit.NANOSECONDS.toSeconds(transactions.endedBefore().orElseThrow());
    }
}
