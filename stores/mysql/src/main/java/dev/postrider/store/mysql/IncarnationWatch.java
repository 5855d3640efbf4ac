package dev.postrider.store.mysql;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notices that the server was restarted or replaced.
 *
 * <p>The server's name comes with every statement for nothing. Its start time is expensive, because the server adds up counters of
 * all its sessions to find its uptime; so it is asked for only when the last answer is older than the time in which no server
 * can crash and come up again.
 */
final class IncarnationWatch {

    private static final long FASTEST_RESTART_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier nanoTime;
    private Optional<Incarnation> current = Optional.empty();
    private long askedAt;

    IncarnationWatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The run of the server that everything remembered belongs to; empty before the first answer. */
    Optional<Incarnation> current() {
        return current;
    }

    /** Whether the next statement must ask for the start time. */
    boolean mustAsk() {
        return current.isEmpty() || nanoTime.getAsLong() - askedAt > FASTEST_RESTART_NANOS;
    }

    /**
     * Takes note of an answer.
     *
     * @param sentAt when the statement was sent, in monotonic nanoseconds
     * @return whether it came from another run than the answers before
     */
    boolean isAnother(ServerMoment moment, long sentAt) {
        OptionalLong startedAt = moment.startedAt();
        Incarnation answer = new Incarnation(
                moment.server(),
                startedAt.orElseGet(() -> current.map(Incarnation::startedAt).orElse(0L)));
        boolean isAnother = current.isPresent() && !current.get().isSameAs(answer);
        if (startedAt.isPresent()) {
            askedAt = sentAt;
        }
        if (isAnother || current.isEmpty()) {
            // Without a start time it is no token yet: the next fetch asks.
            current = startedAt.isPresent() ? Optional.of(answer) : Optional.empty();
        }
        return isAnother;
    }
}
