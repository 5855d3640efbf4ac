package dev.postrider.spring.boot;

import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;

/** Waits for something that will be so soon. */
final class Eventually {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private Eventually() {}

    static void assertThat(Supplier<? extends Collection<?>> things, int size) {
        await(() -> things.get().size() >= size && (size > 0 || things.get().isEmpty()));
        Assertions.assertThat(things.get()).hasSize(size);
    }

    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            try {
                Thread.sleep(10);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
