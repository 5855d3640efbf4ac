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
import java.util.Comparator;
import java.util.Optional;

/** An item that was fetched and not yet acknowledged, and where it stands. Guarded by the monitor of its {@link SourceMemory}. */
final class Tracked<T> {

    /** The order of a key: as the user numbers the items, then as they came. */
    static final Comparator<Tracked<?>> BY_SEQUENCE =
            Comparator.<Tracked<?>>comparingLong(tracked -> tracked.sequence).thenComparingLong(tracked -> tracked.seq);

    /** As they were handed to the relay. */
    static final Comparator<Tracked<?>> BY_SEQ = Comparator.comparingLong(tracked -> tracked.seq);

    /** The only one. */
    static final int LANE = 0;

    final T value;
    final OutboxMessage message;
    final long sequence;
    final Instant createdAt;
    private final Optional<String> problem;
    Standing standing = Standing.NEW;

    /** Given whenever it is handed to the relay: the order inside the lane. */
    long seq;

    /** Being discarded: nobody may bring it back, and a fetch must still know it. */
    boolean isLeaving;

    /** Given up, and the source could not be told. */
    boolean isOwed;

    private Optional<String> destination = Optional.empty();
    private int attempts;
    String error = "";
    private Optional<Instant> firstFailedAt = Optional.empty();
    /** In nanoseconds of the monotonic clock. */
    private long dueAt;

    private boolean isBlocked;
    DeadReason reason = DeadReason.OTHER;
    private Instant diedAt = Instant.EPOCH;

    /**
     * A new one.
     *
     * @param message a stand-in if the item is no message
     * @param problem why the item is no message, if so
     */
    Tracked(T value, OutboxMessage message, long sequence, Instant createdAt, Optional<String> problem) {
        this.value = value;
        this.message = message;
        this.sequence = sequence;
        this.createdAt = createdAt;
        this.problem = problem;
    }

    MessageId id() {
        return message.id();
    }

    Optional<String> key() {
        return message.key();
    }

    String topic() {
        return message.topic();
    }

    RowRef ref() {
        return new RowRef(LANE, seq, id());
    }

    boolean is(Standing wanted) {
        return standing == wanted;
    }

    /** Whether it waits until an operator unblocks it. */
    boolean isBlocked() {
        return is(Standing.WAITING) && isBlocked;
    }

    /** Whether anything is known that the source would not tell again. */
    boolean hasFailed() {
        return firstFailedAt.isPresent() || !error.isEmpty();
    }

    /** How long until it may be tried again; not positive if that is now. */
    Optional<Duration> dueIn(long now) {
        return isBlocked() ? Optional.empty() : Optional.of(Duration.ofNanos(dueAt - now));
    }

    boolean isDue(long now) {
        return !isBlocked() && dueAt - now <= 0;
    }

    /** What the relay says became of it. */
    void note(RowOutcome.Outcome outcome, Instant time, long now) {
        standing = Standing.WAITING;
        destination = outcome.heldFor();
        dueAt = now;
        if (outcome instanceof RowOutcome.RetryLater retry) {
            failed(retry.attempts(), retry.error(), time);
            dueAt = now + retry.delay().toNanos();
        } else if (outcome instanceof RowOutcome.Blocked blocked) {
            failed(blocked.attempts(), blocked.error(), time);
            isBlocked = true;
        } else if (outcome instanceof RowOutcome.Dead dead) {
            standing = Standing.DEAD;
            failed(dead.attempts(), dead.error(), time);
            reason = dead.reason();
            diedAt = time;
        }
    }

    private void failed(int attemptsSoFar, String why, Instant time) {
        attempts = attemptsSoFar;
        error = StoredText.of(why);
        boolean isUntried = is(Standing.DEAD) && attempts == 0;
        if (firstFailedAt.isEmpty() && !isUntried) {
            firstFailedAt = Optional.of(time);
        }
    }

    /** An operator wants another try; the relay will say where it leads. */
    void revive(long now) {
        destination = Optional.empty();
        isOwed = false;
        unblock(now);
    }

    void unblock(long now) {
        isBlocked = false;
        attempts = 0;
        takeBack(now);
    }

    /** May be tried at once. */
    void takeBack(long now) {
        standing = Standing.WAITING;
        dueAt = now;
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
        return key().flatMap(key -> destination.map(name -> new HeldLine(LANE, key, name)));
    }

    OutboxRow row(KeyState keyState) {
        return problem.<OutboxRow>map(problem -> new OutboxRow.Unreadable(ref(), key(), createdAt, keyState, problem))
                .orElseGet(() -> new OutboxRow.Hot(ref(), message, createdAt, keyState, attempts));
    }

    HeldHead head(long now) {
        return new HeldHead(
                ref(),
                topic(),
                message.type(),
                key(),
                attempts,
                error,
                dueIn(now).map(wait -> wait.isNegative() ? Duration.ZERO : wait),
                firstFailedAt);
    }

    /** If it waits for a destination or for a place there, which counts no attempt. */
    Optional<Waiting> waiting() {
        return destination
                .filter(name -> !isBlocked && firstFailedAt.isPresent() && Waiting.isWaiting(attempts, error))
                .map(name -> new Waiting(name, topic(), 1, firstFailedAt, error));
    }

    DeadLetter deadLetter() {
        return new DeadLetter(ref(), message, reason, attempts, error, createdAt, firstFailedAt, diedAt, false);
    }

    /** Where an item stands. */
    enum Standing {
        /** Just fetched. */
        NEW,
        /** The relay has it. */
        HANDED,
        /** Waits for a retry, or behind an item of its key that does. */
        WAITING,
        /** Given up. */
        DEAD
    }
}
