package dev.postrider.relay;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.SendContext;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** One row in a worker's memory. It leaves only by a confirmed settle, or when its lane is read again. {@link Lines} shows its steps. */
final class TrackedMessage {

    /** A guess at what an entry costs beside its payload. */
    private static final int OVERHEAD_BYTES = 512;

    private static final Instant FIRST_YEAR = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant AFTER_LAST_YEAR = Instant.parse("+10000-01-01T00:00:00Z");

    final OwnedLane lane;
    final RowRef ref;
    final OutboxMessage message;
    final boolean held;
    final WorkerGate gate;

    /** The messages that go out in order with it; null until it has joined them. */
    @Nullable
    Line line;

    /** How many attempts have failed. */
    final int attempts;

    /** Why it was held last; empty for a row that was not. */
    final String error;

    /** The place that its send tries; null for almost all. */
    @Nullable
    PlaceState tries;

    private RowState state = RowState.WAITING;

    /** How its send ended, while that decides nothing yet. */
    @Nullable
    Outcome outcome;

    /** When the send began, in monotonic nanoseconds. */
    long sentAt;

    /** How many outages of its destination had begun before the send. */
    long outagesBefore;

    boolean isReportedOverdue;

    /** The outcome must not be recorded: the database has changed under it. */
    boolean isVoid;

    private final Instant createdAt;
    private final Duration ageWhenRead;
    private final Batch batch;

    TrackedMessage(OwnedLane lane, OutboxRow.Readable row, WorkerGate gate, Batch batch) {
        this.lane = lane;
        this.ref = row.ref();
        this.message = withTime(row.message(), row.createdAt());
        this.createdAt = row.createdAt();
        this.held = row instanceof OutboxRow.Held;
        this.attempts = row.attempts();
        this.error = row.error();
        this.gate = gate;
        // Anybody may have written the time; meters and others want nanoseconds.
        this.ageWhenRead = Duration.ofNanos(Nanos.of(Duration.between(createdAt, batch.databaseTime())));
        this.batch = batch;
    }

    /**
     * An event that names no time gets that of its row, which is the same at every attempt. One of another system stays as it was written, and
     * no event gets a time that the specification cannot write.
     */
    private static OutboxMessage withTime(OutboxMessage message, Instant createdAt) {
        Headers headers = message.headers();
        boolean isPossible = !createdAt.isBefore(FIRST_YEAR) && createdAt.isBefore(AFTER_LAST_YEAR);
        if (!isPossible
                || headers.get(Headers.TIME).isPresent()
                || headers.get(Headers.AS_WRITTEN).isPresent()) {
            return message;
        }
        return message.withHeaders(headers.with(Headers.TIME, text(createdAt)));
    }

    /** As {@link Instant#toString} has it, in a fraction of the time, which is spent for every message. */
    private static String text(Instant time) {
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
        // It would leave out seconds that are zero.
        return utc.getSecond() == 0 && utc.getNano() == 0 ? time.toString() : utc + "Z";
    }

    /** The name of the destination that it leads to. */
    String destination() {
        return gate.shared.name();
    }

    /** The attempt with this number, for listeners. */
    Attempt attempt(int number) {
        return new Attempt(destination(), lane.number(), message, number, batch.number());
    }

    /** For the destination. */
    SendContext context(KeyRun run) {
        return new SendContext(run, createdAt, attempts);
    }

    RowState state() {
        return state;
    }

    /** It was read: it is known to its lane from now on, and takes room at its gate. */
    void enterMemory() {
        lane.rows.put(ref.seq(), this);
        gate.remembered(bytes(), batch.readAt());
    }

    /** Nothing in memory knows it any more, if anything did. */
    void leaveMemory() {
        if (lane.rows.remove(ref.seq(), this)) {
            gate.forgotten(bytes());
        }
        take(RowState.Event.FORGET);
    }

    /** Only for {@link Lines} and what it is made of. */
    void take(RowState.Event event) {
        state = state.after(event);
    }

    long bytes() {
        return OVERHEAD_BYTES + (long) message.payload().length;
    }

    /** The time since the insert: by the database's clock until it was read, by the monotonic clock since. */
    Duration age(long now) {
        return ageWhenRead.plusNanos(now - batch.readAt());
    }
}
