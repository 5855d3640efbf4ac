package dev.postrider.relay;

import static org.slf4j.event.Level.DEBUG;
import static org.slf4j.event.Level.ERROR;
import static org.slf4j.event.Level.INFO;
import static org.slf4j.event.Level.TRACE;
import static org.slf4j.event.Level.WARN;

import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.message.PostriderException;
import dev.postrider.relay.RelayLog.Subject;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes the relay's log: changes of state at info, what someone should look at at warn, batches at debug, messages at trace.
 *
 * <p>Every text can be read alone; the same facts, and the relay's name, come as key-values. An idle relay logs nothing, and one that meets the
 * same failure again and again counts it (see {@link LogThrottle}).
 */
final class LoggingListener implements RelayListener {

    /** All that the store cannot do now is one failure: the database is away, or slow. */
    private static final String STORE = "store";

    private final RelayLog log;
    private final LogThrottle throttle = new LogThrottle(RelayLog.LOG);

    LoggingListener(RelayLog log) {
        this.log = log;
    }

    private record Kind(String event, String destination, Object detail) {}

    private static Kind kind(String event, Attempt attempt) {
        return new Kind(event, attempt.destination(), attempt.message().topic());
    }

    @Override
    public void started(Relay relay) {
        log.at(INFO).log("The relay is started");
    }

    @Override
    public void closed(Relay relay) {
        throttle.flush();
        log.at(INFO).log("The relay is closed");
    }

    @Override
    public void fetched(long batch, int rows, Duration took) {
        storeWorked();
        if (rows > 0) {
            log.at(DEBUG)
                    .addKeyValue("batch", batch)
                    .addKeyValue("rows", rows)
                    .addKeyValue("took", shown(took))
                    .log("Fetched {} in {} as batch {}", Readable.count(rows, "row"), shown(took), batch);
        }
    }

    @Override
    public void delivered(Attempt attempt, Duration delay, Duration took) {
        log.at(TRACE, attempt)
                .addKeyValue("delay", shown(delay))
                .addKeyValue("took", shown(took))
                .log("Delivered message {} of lane {} to {}", id(attempt), attempt.lane(), attempt.destination());
    }

    @Override
    public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
        Subject subject = Subject.of(attempt);
        throttle.failed(
                WARN,
                kind(failure.getClass().getSimpleName(), attempt),
                (level, note) -> log.at(level, subject)
                        .addKeyValue("took", shown(took))
                        .setCause(LogThrottle.trace(level, failure.cause().orElse(null)))
                        .log(
                                "Attempt {} to deliver message {} of lane {} to {} failed: {}{}",
                                subject.attempt(),
                                subject.id(),
                                subject.lane(),
                                subject.destination(),
                                failure.reason(),
                                note));
    }

    @Override
    public void notReached(Attempt attempt, DeliveryResult.Outage outage, Duration took) {
        log.at(DEBUG, attempt)
                .addKeyValue("took", shown(took))
                .log("Message {} of lane {} did not reach {}", id(attempt), attempt.lane(), attempt.destination());
    }

    @Override
    public void held(Attempt attempt, Duration delay) {
        log.at(DEBUG, attempt)
                .addKeyValue("delay", shown(delay))
                .log("Message {} of lane {} is tried again in {}", id(attempt), attempt.lane(), shown(delay));
    }

    @Override
    public void heldBehind(Attempt attempt) {
        log.at(TRACE, attempt).log("Message {} of lane {} waits behind its key", id(attempt), attempt.lane());
    }

    @Override
    public void blocked(Attempt attempt, String error) {
        Subject subject = Subject.of(attempt);
        throttle.failed(
                WARN,
                kind("blocked", attempt),
                (level, note) -> log.at(level, subject).log(
                        "Message {} of lane {} blocks its key after {}, until an operator acts: {}{}",
                        subject.id(),
                        subject.lane(),
                        Readable.count(subject.attempt(), "attempt"),
                        error,
                        note));
    }

    @Override
    public void dead(Attempt attempt, DeadReason reason, String error) {
        Subject subject = Subject.of(attempt);
        throttle.failed(
                WARN,
                kind("dead " + reason, attempt),
                (level, note) -> log.at(level, subject)
                        .addKeyValue("reason", reason)
                        .log(
                                "Message {} of lane {} is a dead letter after {} ({}): {}{}",
                                subject.id(),
                                subject.lane(),
                                Readable.count(subject.attempt(), "attempt"),
                                reason,
                                error,
                                note));
    }

    @Override
    public void unroutable(int lane, OutboxMessage message, String reason) {
        notTried(
                new Kind("unroutable", "", message.topic()),
                "Message {} of lane {} is a dead letter, since it leads to no destination: {}{}",
                new Subject("", lane, message.id(), 0, 0, Subject.traceId(message)),
                reason);
    }

    @Override
    public void unreadable(int lane, MessageId id, String reason) {
        notTried(
                new Kind("unreadable", "", ""),
                "Row {} of lane {} is a dead letter, since it is no message: {}{}",
                new Subject("", lane, id, 0, 0, Optional.empty()),
                reason);
    }

    private void notTried(Kind kind, String text, Subject subject, String reason) {
        throttle.failed(
                WARN,
                kind,
                (level, note) -> log.at(level, subject).log(text, subject.id(), subject.lane(), reason, note));
    }

    @Override
    public void settled(int rows, Duration took) {
        storeWorked();
        log.at(DEBUG)
                .addKeyValue("rows", rows)
                .addKeyValue("took", shown(took))
                .log("Recorded {} in {}", Readable.count(rows, "outcome"), shown(took));
    }

    @Override
    public void settleRefused(int lane, int rows, Duration took) {
        throttle.failed(
                WARN,
                "refused",
                (level, note) -> log.at(level, lane)
                        .addKeyValue("rows", rows)
                        .addKeyValue("took", shown(took))
                        .log(
                                "The outcomes of {} of lane {} came too late; its new owner sends them again{}",
                                Readable.count(rows, "row"),
                                lane,
                                note));
    }

    @Override
    public void outage(String destination, String reason, Duration retryIn) {
        throttle.failed(
                WARN,
                new Kind("outage", destination, ""),
                (level, note) -> log.at(level, destination).log(
                        "Destination {} is unreachable, next try in {}: {}{}",
                        destination,
                        shown(retryIn),
                        reason,
                        note));
    }

    @Override
    public void recovered(String destination) {
        boolean isTold = throttle.worked(
                new Kind("outage", destination, ""),
                (level, note) ->
                        log.at(level, destination).log("Destination {} is reachable again {}", destination, note));
        if (!isTold) {
            log.at(DEBUG, destination).log("Destination {} is reachable", destination);
        }
    }

    @Override
    public void unavailable(String destination, String place, String reason) {
        throttle.failed(
                WARN,
                new Kind("unavailable", destination, ""),
                (level, note) -> log.at(level, destination)
                        .addKeyValue("place", place)
                        .log(
                                "{} of destination {} takes no messages; they wait, and no attempt is counted: {}{}",
                                place,
                                destination,
                                reason,
                                note));
    }

    @Override
    public void available(String destination, String place) {
        throttle.failed(
                INFO,
                new Kind("available", destination, ""),
                (level, note) -> log.at(level, destination)
                        .addKeyValue("place", place)
                        .log("{} of destination {} takes messages again{}", place, destination, note));
    }

    @Override
    public void slow(String destination, int inFlight) {
        throttle.failed(
                WARN,
                new Kind("slow", destination, ""),
                (level, note) -> log.at(level, destination)
                        .addKeyValue("inFlight", inFlight)
                        .log(
                                "Destination {} is slow and gets fewer messages at a time, so that others flow past it{}",
                                destination,
                                note));
    }

    @Override
    public void paused(String destination) {
        log.at(INFO, destination).log("Destination {} is paused by an operator", destination);
    }

    @Override
    public void resumed(String destination) {
        log.at(INFO, destination).log("Destination {} is no longer paused", destination);
    }

    @Override
    public void laneTaken(int lane, long epoch) {
        log.at(DEBUG, lane).addKeyValue("epoch", epoch).log("Acquired lane {}", lane);
    }

    @Override
    public void laneReleased(int lane) {
        log.at(DEBUG, lane).log("Released lane {}", lane);
    }

    @Override
    public void lanesBalanced(int owned, int all) {
        log.at(INFO).addKeyValue("lanes", owned).log("This relay owns {} of {}", owned, Readable.count(all, "lane"));
    }

    @Override
    public void laneLost(int lane) {
        throttle.failed(
                WARN,
                "lost",
                (level, note) -> log.at(level, lane).log(
                        "Lost lane {}: another relay has it, or its lease was not renewed in time{}", lane, note));
    }

    @Override
    public void overdue(Attempt attempt, Duration since) {
        Subject subject = Subject.of(attempt);
        throttle.failed(
                WARN,
                new Kind("overdue", attempt.destination(), ""),
                (level, note) -> log.at(level, subject)
                        .addKeyValue("since", shown(since))
                        .log(
                                "Destination {} has not reported the end of a send for {}; the key of message {} of lane {}"
                                        + " waits{}",
                                subject.destination(),
                                shown(since),
                                subject.id(),
                                subject.lane(),
                                note));
    }

    @Override
    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        boolean isExpected = failure instanceof PostriderException;
        throttle.failed(
                WARN,
                isExpected ? STORE : operation,
                (level, note) -> log.at(level)
                        .addKeyValue("operation", operation.name())
                        .addKeyValue("took", shown(took))
                        .setCause(isExpected ? LogThrottle.trace(level, failure) : failure)
                        .log(
                                "The store failed to {}; trying again: {}{}",
                                operation,
                                isExpected ? failure.getMessage() : failure,
                                note));
    }

    private void storeWorked() {
        throttle.worked(STORE, (level, note) -> log.at(level).log("The store answers again {}", note));
    }

    @Override
    public void sweepFoundMissed(int lane, int rows) {
        log.at(ERROR, lane)
                .addKeyValue("rows", rows)
                .log(
                        "The scan of lane {} had missed {}; reading all lanes from their heads. Please report this",
                        lane,
                        Readable.count(rows, "row"));
    }

    @Override
    public void classifierFailed(Attempt attempt, Throwable failure) {
        Subject subject = Subject.of(attempt);
        throttle.failed(
                WARN,
                "classifier",
                (level, note) -> log.at(level, subject)
                        .setCause(failure)
                        .log(
                                "The failure classifier failed on message {} of lane {}; the destination's own judgement"
                                        + " stands{}",
                                subject.id(),
                                subject.lane(),
                                note));
    }

    @Override
    public void stalled(String part, Duration since) {
        log.at(ERROR)
                .addKeyValue("since", shown(since))
                .log(
                        "A {} has hung for {} in the store or in a destination; its lanes go to others. Set timeouts"
                                + " in the driver and in the client",
                        part,
                        shown(since));
    }

    @Override
    public void crashed(String part, Throwable failure) {
        throttle.failed(
                ERROR,
                part,
                (level, note) -> log.at(level)
                        .setCause(failure)
                        .log("The {} failed unexpectedly; it recovers by itself{}", part, note));
    }

    /** Formatted only if the line is written. */
    private record Shown(Duration time) {
        @Override
        public String toString() {
            return Readable.time(time);
        }
    }

    private static Shown shown(Duration time) {
        return new Shown(time);
    }

    private static MessageId id(Attempt attempt) {
        return attempt.message().id();
    }
}
