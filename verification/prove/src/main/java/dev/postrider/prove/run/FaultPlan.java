package dev.postrider.prove.run;

import dev.postrider.prove.Fault;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Which fault strikes when, and whom: the same for the same seed. Every wanted fault comes once before any comes again.
 * Not thread-safe.
 */
final class FaultPlan {

    private static final int SHORTEST_PAUSE_MILLIS = 500;
    private static final int LONGEST_PAUSE_MILLIS = 2_500;

    private final List<Fault> wanted;
    private final Random random;
    private final Deque<Fault> next = new ArrayDeque<>();

    FaultPlan(Set<Fault> wanted, long seed) {
        this.wanted = wanted.stream().sorted().toList();
        this.random = new Random(seed);
    }

    /**
     * One fault.
     *
     * @param pause how long to wait before it
     * @param choice whom it strikes, among any number of candidates
     */
    record Step(Fault fault, Duration pause, int choice) {}

    Step next() {
        if (next.isEmpty()) {
            List<Fault> round = new ArrayList<>(wanted);
            Collections.shuffle(round, random);
            next.addAll(round);
        }
        Duration pause =
                Duration.ofMillis(SHORTEST_PAUSE_MILLIS + random.nextInt(LONGEST_PAUSE_MILLIS - SHORTEST_PAUSE_MILLIS));
        return new Step(next.remove(), pause, random.nextInt(Integer.MAX_VALUE));
    }

    boolean isEmpty() {
        return wanted.isEmpty();
    }
}
