package dev.postrider.source;

import dev.postrider.internal.StoredText;
import dev.postrider.message.MessageId;
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

/** An item that was fetched and not yet acknowledged, and where it stands. Guarded by the monitor of its {@link Items}. */
final class Item<T> {

    /** The only one. */
    static final int LANE = 0;

    final T value;
    final OutboxMessage message;
    final long sequence;
    final Instant createdAt;
    private final Optional<String> problem;
    Standing standing = Standing.HANDED;

    /** Given whenever it is handed to the relay: the order inside the lane. */
    long seq;

    /**
     * When to try it again, or to tell the source again that it is dead; in nanoseconds of the monotonic clock. Empty if an
     * operator must unblock it first, or if the source knows.
     */
    Optional<Long> dueAt = Optional.empty();

    String error = "";
    DeadReason reason = DeadReason.OTHER;
    private Optional<String> destination = Optional.empty();
    private int attempts;
    private Optional<Instant> firstFailedAt = Optional.empty();
    private Instant diedAt = Instant.EPOCH;

    /**
     * A new one.
     *
     * @param message a stand-in if the item is no message
     * @param problem why the item is no message, if so
     */
    Item(T value, OutboxMessage message, long sequence, Instant createdAt, Optional<String> problem) {
        this.value = value;
        this.message = message;
        this.sequence = sequence;
        this.createdAt = createdAt;
        this.problem = problem;
    }

    MessageId id() {
        return message.id();
    }

    /** How long until it is due; zero if it is. */
    Optional<Duration> dueIn(long now) {
        return dueAt.map(at -> Duration.ofNanos(Math.max(0, at - now)));
    }

    boolean isDue(long now) {
        return dueIn(now).filter(Duration::isZero).isPresent();
    }

    /** Whether anything is known that the source would not tell again. */
    boolean hasFailed() {
        return firstFailedAt.isPresent() || !error.isEmpty();
    }

    /** What the relay says became of it. */
    void note(RowOutcome.Outcome outcome, Instant time, long now) {
        destination = outcome.heldFor();
        tryAt(now);
        if (outcome instanceof RowOutcome.RetryLater retry) {
            failed(retry.attempts(), retry.error(), Optional.of(time));
            tryAt(now + retry.delay().toNanos());
        } else if (outcome instanceof RowOutcome.Blocked blocked) {
            failed(blocked.attempts(), blocked.error(), Optional.of(time));
            dueAt = Optional.empty();
        } else if (outcome instanceof RowOutcome.Dead dead) {
            failed(dead.attempts(), dead.error(), Optional.of(time).filter(at -> dead.attempts() > 0));
            standing = Standing.DEAD;
            reason = dead.reason();
            diedAt = time;
        }
    }

    private void failed(int attemptsSoFar, String why, Optional<Instant> triedAt) {
        attempts = attemptsSoFar;
        error = StoredText.of(why);
        firstFailedAt = firstFailedAt.or(() -> triedAt);
    }

    void tryAt(long time) {
        standing = Standing.WAITING;
        dueAt = Optional.of(time);
    }

    /** An operator wants another try. Where a dead one leads, the relay will say. */
    void retry(long now) {
        attempts = 0;
        tryAt(now);
    }

    /** Items with equal results keep one order; one without order is alone. */
    Object orderOf(Ordering ordering) {
        return switch (ordering) {
            case GLOBAL -> "";
            case PER_KEY -> line().<Object>map(line -> line).orElse(id());
            case NONE -> id();
        };
    }

    /** Where it waits, if it has a key and its destination is known. */
    Optional<HeldLine> line() {
        return message.key().flatMap(key -> destination.map(name -> new HeldLine(LANE, key, name)));
    }

    OutboxRow row(KeyState keyState) {
        return problem.<OutboxRow>map(why -> new OutboxRow.Unreadable(ref(), message.key(), createdAt, keyState, why))
                .orElseGet(() -> new OutboxRow.Hot(ref(), message, createdAt, keyState, attempts));
    }

    private RowRef ref() {
        return new RowRef(LANE, seq, id());
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
        /** Waits for a retry, or behind an item of its key that does. */
        WAITING,
        /** Given up. */
        DEAD,
        /** Being discarded: nobody may bring it back, and a fetch that misses it must not forget it. */
        LEAVING
    }
}
