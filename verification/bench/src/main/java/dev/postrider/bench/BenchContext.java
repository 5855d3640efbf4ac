package dev.postrider.bench;

import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Span;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.usage.UsageMonitor;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * What a scenario works with.
 *
 * @param database where everything is made; tables begin with {@link BenchOutbox#PREFIX} and are dropped afterwards
 * @param size how much to do at most
 * @param seed makes keys and payloads the same in every run
 * @param pace how much of it fits into the time
 * @param brokerUri of the broker that the scenario asked for
 * @param usage looks at what all processes use
 * @param listener takes what is being done, for people
 */
public record BenchContext(
        BenchDatabase database,
        Size size,
        long seed,
        Pace pace,
        Optional<String> brokerUri,
        UsageMonitor usage,
        Consumer<String> listener) {

    /** A new outbox with every option at its default. Close it to drop its tables. */
    public BenchOutbox openOutbox() {
        return database.openOutbox(settings -> {});
    }

    /** The payload of every message. */
    public byte[] payload() {
        return Payload.of(size.bytes(), seed);
    }

    /** Makes a measurement; its line tells what was used meanwhile, too. */
    public Measurement watched(Callable<Measurement> work) throws Exception {
        long start = System.nanoTime();
        Measurement line = work.call();
        return usage.during(Span.since(start)).addTo(line);
    }

    /** Says what comes next. */
    public void progress(String what) {
        listener.accept(what);
    }
}
