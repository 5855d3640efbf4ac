package dev.postrider.source;

import dev.postrider.internal.Range;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** Collects the options of a {@link SourceOutboxStore}. Not thread-safe. */
public final class SourceStoreBuilder<T> {

    private final MessageSource<T> source;
    private final Function<T, MessageId> id;
    private final Function<T, OutboxMessage> toMessage;
    private BiFunction<T, OutboxMessage, Optional<String>> key = (item, message) -> message.key();
    private ToLongFunction<T> sequence = item -> 0;
    private BiFunction<T, Instant, Instant> createdAt = (item, now) -> now;
    private String name = "source";
    private MessageLimits limits = MessageLimits.defaults();
    private int lookAhead = 100_000;
    BooleanSupplier onlyWhile = () -> true;
    Clock clock = Clock.systemUTC();
    LongSupplier nanoTime = System::nanoTime;

    SourceStoreBuilder(MessageSource<T> source, Function<T, MessageId> id, Function<T, OutboxMessage> toMessage) {
        this.source = Objects.requireNonNull(source, "source");
        this.id = Objects.requireNonNull(id, "id");
        this.toMessage = Objects.requireNonNull(toMessage, "toMessage");
    }

    /** The entity that an item belongs to. Default: the key of its message. */
    public SourceStoreBuilder<T> key(Function<T, Optional<String>> value) {
        Objects.requireNonNull(value, "key");
        this.key = (item, message) -> value.apply(item);
        return this;
    }

    /** The place of an item in the order of its key; lower goes first. Default: items go out as they were fetched. */
    public SourceStoreBuilder<T> sequence(ToLongFunction<T> value) {
        this.sequence = Objects.requireNonNull(value, "sequence");
        return this;
    }

    /** When an item was written, for the delay and age in metrics. Default: when it was fetched for the first time. */
    public SourceStoreBuilder<T> createdAt(Function<T, Instant> value) {
        Objects.requireNonNull(value, "createdAt");
        this.createdAt = (item, now) -> value.apply(item);
        return this;
    }

    /** What to call it in logs and metrics. Default: {@code source}. */
    public SourceStoreBuilder<T> name(String value) {
        this.name = Objects.requireNonNull(value, "name");
        return this;
    }

    /** How large messages may be; an item whose message is larger is given up. Default: {@link MessageLimits#defaults()}. */
    public SourceStoreBuilder<T> limits(MessageLimits value) {
        this.limits = Objects.requireNonNull(value, "limits");
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
        this.onlyWhile = Objects.requireNonNull(value, "onlyWhile");
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

    UserSource<T> source() {
        return new UserSource<>(source, name, id, toMessage, key, sequence, createdAt, limits, lookAhead);
    }
}
