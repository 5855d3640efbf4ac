package dev.postrider.prove.run;

import dev.postrider.prove.ProofException;
import java.time.Duration;

/** Waits. */
final class Pause {

    private Pause() {}

    static void of(Duration time) {
        try {
            Thread.sleep(time.toMillis(), time.toNanosPart() % 1_000_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ProofException("Interrupted", interrupted);
        }
    }
}
