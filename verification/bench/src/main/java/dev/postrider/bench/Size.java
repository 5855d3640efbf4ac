package dev.postrider.bench;

/**
 * How much a scenario does.
 *
 * @param messages of each subject in each round
 * @param bytes the length of each payload, 16 at least
 * @param rounds how often the subjects take turns, after a warm-up that does not count
 */
public record Size(int messages, int bytes, int rounds) {

    private static final int SMALLEST_PAYLOAD = 16;

    public Size {
        requireAtLeast("messages", messages, 10);
        requireAtLeast("bytes", bytes, SMALLEST_PAYLOAD);
        requireAtLeast("rounds", rounds, 1);
    }

    private static void requireAtLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException("%s is %d, expected %d or more".formatted(name, value, least));
        }
    }

    /** How many messages all rounds have. */
    public long work() {
        return (long) messages * rounds;
    }
}
