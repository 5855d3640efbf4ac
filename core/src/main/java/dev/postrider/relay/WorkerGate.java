package dev.postrider.relay;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One worker's side of a destination: the lines ready for it and how much of it is in flight.
 *
 * <p>Confined to the worker's thread; only the {@link DestinationGate} behind it is shared.
 */
final class WorkerGate {

    final DestinationGate shared;
    private final InFlightWindow inFlightWindow;
    private final long maxInFlightBytes;
    private final ArrayDeque<Line> ready = new ArrayDeque<>();
    private final int maxInFlightPerLine;
    private final Set<String> topics = new HashSet<>();
    private int inFlight;
    private long bytesInFlight;
    private long reopeningsSeen;
    private int rows;
    private long bytes;

    private final SlowWindow slowWindow;

    WorkerGate(DestinationGate shared, RelayOptions options) {
        this.shared = shared;
        this.inFlightWindow = new InFlightWindow(options);
        this.maxInFlightBytes = options.maxInFlightBytesPerWorker();
        this.maxInFlightPerLine = options.maxInFlightPerLine(shared.destination());
        this.reopeningsSeen = shared.reopenings();
        this.slowWindow = new SlowWindow(options.maxRowsPerWorker());
    }

    /** Lets the line take its turn, if it has anything to send now. */
    void addReady(Line line) {
        if (!line.isQueued && line.canBegin()) {
            line.isQueued = true;
            ready.add(line);
        }
    }

    /** How many messages of a line may be in flight. */
    int maxInFlightPerLine() {
        return maxInFlightPerLine;
    }

    /** The next line that may send now, its next message already counted as in flight; null when there is none or no room. */
    @Nullable
    Line nextToSend(long now) {
        Line line = firstThatCanBegin(now);
        TrackedMessage next = line == null ? null : line.next();
        long outages = shared.outages();
        if (next == null || !hasRoomFor(next) || !shared.tryEnter(next.message.id())) {
            return null;
        }
        takeFirst();
        next.outagesBefore = outages;
        inFlight++;
        bytesInFlight += next.bytes();
        return line;
    }

    private @Nullable Line firstThatCanBegin(long now) {
        Line line = ready.peek();
        while (line != null && !(line.canBegin() && line.lane.maySend(now))) {
            takeFirst();
            if (line.canBegin()) {
                line.isQueued = true;
                line.lane.park(line);
            }
            line = ready.peek();
        }
        return line;
    }

    private void takeFirst() {
        ready.remove().isQueued = false;
    }

    private boolean hasRoomFor(TrackedMessage entry) {
        return inFlight < inFlightWindow.size() && (inFlight == 0 || bytesInFlight + entry.bytes() <= maxInFlightBytes);
    }

    /** The send of this entry has ended. */
    void ended(TrackedMessage entry, long now) {
        inFlightWindow.ended(now - entry.sentAt, inFlight);
        left(entry);
        slowWindow.sendEnded();
    }

    /** Takes back an entry that was handed out but not sent. */
    void notSent(TrackedMessage entry) {
        left(entry);
        shared.toldNothing();
    }

    private void left(TrackedMessage entry) {
        inFlight--;
        bytesInFlight -= entry.bytes();
    }

    /** A row that leads here is in memory now. */
    void remembered(long itsBytes, long readAt) {
        rows++;
        bytes += itsBytes;
        slowWindow.grewTo(rows, bytes, readAt);
    }

    /** A row that leads here has left memory. */
    void forgotten(long itsBytes) {
        rows--;
        bytes -= itsBytes;
    }

    /** What its rows cost in memory. */
    long bytes() {
        return bytes;
    }

    int rows() {
        return rows;
    }

    SlowWindow slowWindow() {
        return slowWindow;
    }

    int inFlight() {
        return inFlight;
    }

    /** How many may be in flight now. */
    int maxInFlight() {
        return inFlightWindow.size();
    }

    /** Remembers a topic that leads here, so that fetches can pass over it while the gate is closed. */
    void learnTopic(String topic) {
        if (topics.size() < MAX_TOPICS) {
            topics.add(topic);
        }
    }

    Set<String> topics() {
        return topics;
    }

    /**
     * Whether rows that lead here must be passed over: the gate is closed, or slow and full, or has reopened and the worker has not
     * taken note by {@link #hasReopened}. Until then earlier rows may be missing from memory, and a later one must not pass
     * them.
     */
    boolean isClosed() {
        return slowWindow.isFull() || shared.isClosed() || shared.reopenings() != reopeningsSeen;
    }

    /** Whether the gate has reopened since the last call. The caller reads again everything that was passed over. */
    boolean hasReopened() {
        long reopenings = shared.reopenings();
        boolean reopened = reopenings != reopeningsSeen;
        reopeningsSeen = reopenings;
        return reopened;
    }

    /** Keeps the statement short; a topic beyond it is read and passed over instead. */
    private static final int MAX_TOPICS = 1000;
}
