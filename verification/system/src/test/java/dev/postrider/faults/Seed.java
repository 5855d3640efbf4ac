package dev.postrider.faults;

import java.util.Random;

/** The source of all chance in a run. It is printed; a run with {@code -Dfaults.seed} set to it makes the same choices again. */
final class Seed {

    private static final long VALUE = Long.getLong("faults.seed", System.nanoTime());

    static {
        System.out.println("Chance of this run: " + text());
    }

    private Seed() {}

    /** Chance of its own for each who draws, so that the threads of one do not change the choices of another. */
    static Random random(String user) {
        return new Random(VALUE ^ (long) user.hashCode() << 32);
    }

    /** For messages of failed assertions. */
    static String text() {
        return "-Dfaults.seed=" + VALUE;
    }
}
