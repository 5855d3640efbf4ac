package dev.postrider.bench;

import java.time.Duration;

/**
 * One contest's share of the time: how long its warm-up lasts, how large its rounds are, and how many there are. For one thread.
 */
final class RoundSchedule {

    /** A warm-up that has little time begins with turns of such a part, which double up to {@link #LARGEST_PART}. */
    private static final int SMALLEST_PART = 32;

    private static final int LARGEST_PART = 4;

    /** Fewer rounds would make no median. */
    private static final int FEWEST_ROUNDS = 4;

    private static final int FEWEST_MESSAGES = 10;

    private final Size size;
    private final boolean isScalable;
    private final long warmAt;
    private final long end;
    private int messages;
    private int rounds;
    private long longest;

    /** @param isScalable whether its rounds may be smaller, to fit into the time */
    RoundSchedule(Size size, boolean isScalable, Duration warmUp, Duration time) {
        long now = System.nanoTime();
        this.size = size;
        this.isScalable = isScalable;
        this.warmAt = now + warmUp.toNanos();
        this.end = now + time.toNanos();
        this.messages = isScalable ? fewest() : size.messages();
    }

    /** How many messages each subject has in a round. */
    int messages() {
        return messages;
    }

    boolean isWarm() {
        return System.nanoTime() >= warmAt;
    }

    /** One more round of the warm-up follows. */
    void goOn() {
        if (isScalable) {
            messages = Math.max(messages, Math.min(2 * messages, size.messages() / LARGEST_PART));
        }
    }

    /** The warm-up is over; its last round took this long. Chooses how large the others are. */
    void begin(long nanos) {
        longest = nanos;
        if (isScalable) {
            double fitting = (double) (end - System.nanoTime()) / FEWEST_ROUNDS / nanos;
            int chosen = Math.max(fewest(), (int) Math.min(size.messages(), messages * fitting));
            longest = (long) (nanos * (double) chosen / messages);
            messages = chosen;
        }
    }

    /** Whether one more round is to come. There is always one. */
    boolean hasNext() {
        return rounds == 0 || (rounds < size.rounds() && System.nanoTime() + longest <= end);
    }

    /** A round took this long. */
    void finished(long nanos) {
        longest = rounds == 0 ? nanos : Math.max(longest, nanos);
        rounds++;
    }

    /** Which round comes next, for people. */
    String next() {
        return "round %d of at most %d".formatted(rounds + 1, size.rounds());
    }

    /** How many messages each subject had in all rounds. */
    long work() {
        return (long) messages * rounds;
    }

    private int fewest() {
        return Math.max(FEWEST_MESSAGES, size.messages() / SMALLEST_PART);
    }
}
