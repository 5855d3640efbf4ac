package dev.postrider.relay;

import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.TraceContext;
import java.time.Duration;
import java.util.Random;
import java.util.function.LongSupplier;

/** What all parts of one relay share. Time is monotonic nanoseconds, replaceable by a virtual clock. */
record RelayContext(
        String owner,
        OutboxStore store,
        RelayStore relayStore,
        RelayOptions options,
        RelayListener listener,
        TraceContext trace,
        LongSupplier nanoTime,
        Random random) {

    long now() {
        return nanoTime.getAsLong();
    }

    Duration since(long startNanos) {
        return Duration.ofNanos(now() - startNanos);
    }
}
