package dev.postrider.prove;

import java.time.Duration;

/** Lets time pass that a proof itself demands, such as the length of an outage. Stateless. */
public final class Pause {

    private Pause() {}

    public static void of(Duration time) {
        try {
            Thread.sleep(time.toMillis(), time.toNanosPart() % 1_000_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ProofException("Interrupted", interrupted);
        }
    }
}
