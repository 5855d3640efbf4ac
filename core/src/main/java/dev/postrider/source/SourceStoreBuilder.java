package dev.postrider.source;

import static java.util.Objects.requireNonNull;

import dev.postrider.internal.Range;
import dev.postrider.message.MessageLimits;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Collects the options of a {@link SourceOutboxStore}. Not thread-safe. */
public final class SourceStoreBuilder<T> {

    final MessageSource<T> source;
    String name = "source";
    MessageLimits limits = MessageLimits.defaults();
    int lookAhead = 100_000;
    BooleanSupplier onlyWhile = () -> true;
    Clock clock = Clock.systemUTC();
    LongSupplier nanoTime = System::nanoTime;

    SourceStoreBuilder(MessageSource<T> source) {
        this.source = requireNonNull(source, "source");
    }

    /** What to call it in logs and metrics. Default: {@code source}. */
    public SourceStoreBuilder<T> name(String value) {
        this.name = requireNonNull(value, "name");
        return this;
    }

    /** How large messages may be; an item whose message is larger is given up. Default: {@link MessageLimits#defaults()}. */
    public SourceStoreBuilder<T> limits(MessageLimits value) {
        this.limits = requireNonNull(value, "limits");
        return this;
    }

    /**
     * How many items are asked for at most. Items that wait at the head of the source (held, given up, or for a destination that
     * is paused) are passed over up to this number; it also bounds memory. Default: 100,000. Range: 100 to 10,000,000.
     */
    public SourceStoreBuilder<T> lookAhead(int value) {
        this.lookAhead = Range.of("lookAhead", value, 100, 10_000_000);
        return this;
    }

    /**
     * Whether this process may deliver: the answer of a leader election, for example. Asked when the lane is taken and whenever
     * its lease is renewed, so whoever is no longer the leader may go on for a third of a lease. Default: always.
     */
    public SourceStoreBuilder<T> onlyWhile(BooleanSupplier value) {
        this.onlyWhile = requireNonNull(value, "onlyWhile");
        return this;
    }

    /** Replaces the clocks, for tests. */
    SourceStoreBuilder<T> clocks(Clock wall, LongSupplier monotonic) {
        this.clock = wall;
        this.nanoTime = monotonic;
        return this;
    }

    public SourceOutboxStore<T> build() {
        return new SourceOutboxStore<>(this);
    }
}
