package dev.postrider.source;

import dev.postrider.internal.StoredText;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** An item that was fetched and not yet acknowledged, and where it stands. Guarded by the monitor of its {@link Items}. */
final class Item<T> {

    /** The only one. */
    static final int LANE = 0;

    final T value;
    final OutboxMessage message;
    final Instant createdAt;

    /** The place in the order of its key. */
    long sequence;

    /** Why the item is no message, if so; then the message is a stand-in. */
    Optional<String> problem = Optional.empty();

    Standing standing = Standing.WAITING;

    /** Given whenever it is handed to the relay: the order inside the lane. */
    long seq;

    /** When to try it, in nanoseconds of the monotonic clock; empty if an operator must act first. */
    Optional<Long> dueAt = Optional.empty();

    /** When to tell the source once more that it is dead. */
    volatile Optional<Long> tellAgainAt = Optional.empty();

    String error = "";
    DeadReason reason = DeadReason.OTHER;
    private Optional<String> destination = Optional.empty();
    private int attempts;
    private Optional<Instant> firstFailedAt = Optional.empty();
    private Instant diedAt = Instant.EPOCH;

    Item(T value, OutboxMessage message, Instant createdAt) {
        this.value = value;
        this.message = message;
        this.createdAt = createdAt;
    }

    /** How long until it is due; zero if it is. */
    Optional<Duration> dueIn(long now) {
        return dueAt.map(at -> Duration.ofNanos(Math.max(0, at - now)));
    }

    boolean isDue(long now) {
        return dueAt.filter(at -> at - now <= 0).isPresent();
    }

    /** Whether anything is known that the source would not tell again. */
    boolean hasFailed() {
        return firstFailedAt.isPresent() || !error.isEmpty();
    }

    /** What the relay says became of it. */
    void note(RowOutcome.Outcome outcome, Instant time, long now) {
        destination = outcome.heldFor();
        tryAt(now);
        if (outcome instanceof RowOutcome.Failure failure) {
            attempts = failure.attempts();
            error = StoredText.of(failure.error());
            dueAt = failure.retryIn().map(delay -> now + delay.toNanos());
            boolean wasTried = attempts > 0 || destination.isPresent();
            firstFailedAt = firstFailedAt.or(() -> Optional.of(time).filter(at -> wasTried));
        }
        if (outcome instanceof RowOutcome.Dead dead) {
            standing = Standing.DEAD;
            reason = dead.reason();
            diedAt = time;
        }
    }

    void tryAt(long time) {
        standing = Standing.WAITING;
        dueAt = Optional.of(time);
    }

    /** An operator wants another try. */
    void retry(long now) {
        attempts = 0;
        tryAt(now);
    }

    /** Items with equal results keep one order; one without order is alone. */
    Object orderOf(Ordering ordering) {
        return switch (ordering) {
            case GLOBAL -> "";
            case PER_KEY -> line().<Object>map(line -> line).orElse(message.id());
            case NONE -> message.id();
        };
    }

    /** Where it waits, if it has a key and its destination is known. */
    Optional<HeldLine> line() {
        return message.key().flatMap(key -> destination.map(name -> new HeldLine(LANE, key, name)));
    }

    /** One that comes back is the first that waits in its line; where others lead, the relay will say. */
    OutboxRow row(Set<String> heldKeys) {
        boolean isHeld =
                line().isEmpty() && message.key().filter(heldKeys::contains).isPresent();
        KeyState keyState = isHeld ? KeyState.HELD : KeyState.FREE;
        return problem.<OutboxRow>map(why -> new OutboxRow.Unreadable(ref(), message.key(), createdAt, keyState, why))
                .orElseGet(() -> new OutboxRow.Hot(ref(), message, createdAt, keyState, attempts));
    }

    private RowRef ref() {
        return new RowRef(LANE, seq, message.id());
    }

    HeldHead head(long now) {
        return new HeldHead(
                ref(), message.topic(), message.type(), message.key(), attempts, error, dueIn(now), firstFailedAt);
    }

    /** If it waits for a destination or for a place there, which counts no attempt. */
    Optional<Waiting> waiting() {
        return destination
                .filter(name -> dueAt.isPresent() && firstFailedAt.isPresent() && Waiting.isWaiting(attempts, error))
                .map(name -> new Waiting(name, message.topic(), 1, firstFailedAt, error));
    }

    DeadLetter deadLetter() {
        return new DeadLetter(ref(), message, reason, attempts, error, createdAt, firstFailedAt, diedAt, false, true);
    }

    /** Where an item stands. */
    enum Standing {
        /** The relay has it. */
        HANDED,
        /** New, or waits for a retry, or behind an item of its key that does. */
        WAITING,
        /** Given up. */
        DEAD,
        /** Being discarded: nobody may bring it back, and a fetch that misses it must not forget it. */
        LEAVING
    }
}
