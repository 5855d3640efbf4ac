package dev.postrider.store.mysql;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Tells which numbers no open transaction can have drawn, from the starts of open transactions.
 *
 * <p>A transaction begins before it draws a number. If the oldest open one began after the cluster was asked for the time, and a
 * number had been passed before that, then the transaction that drew it has ended. Only timestamps of the cluster are compared with
 * each other, and only moments of the relay's own clock: neither has to run like the other.
 */
final class OpenTransactions {

    /** A transaction that the server tries again by itself keeps its numbers and gets a later start. */
    private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MOST_QUESTIONS = 2000;

    private final List<Asked> questions = new ArrayList<>();
    private OptionalLong endedBefore = OptionalLong.empty();

    /**
     * Takes note of an answer.
     *
     * @param askedAt when the question was sent, in monotonic nanoseconds
     */
    void answered(long askedAt, TransactionStarts starts) {
        questions.add(new Asked(askedAt, starts.now()));
        while (questions.size() > 1 && questions.get(1).cluster() <= starts.oldest()) {
            questions.remove(0);
        }
        if (questions.get(0).cluster() <= starts.oldest()) {
            endedBefore = OptionalLong.of(questions.get(0).askedAt() - MARGIN_NANOS);
        }
        if (questions.size() > MOST_QUESTIONS) {
            thinOut();
        }
    }

    /** Beside a transaction that stays open for hours, fewer moments are remembered, and numbers are let go later. */
    private void thinOut() {
        for (int i = questions.size() - 2; i > 0; i -= 2) {
            questions.remove(i);
        }
    }

    /** No open transaction can have drawn a number that was passed before this moment; empty if nothing is known. */
    OptionalLong endedBefore() {
        return endedBefore;
    }

    /** A question for the time: what the cluster's clock said was said after it was sent. */
    private record Asked(long askedAt, long cluster) {}
}
