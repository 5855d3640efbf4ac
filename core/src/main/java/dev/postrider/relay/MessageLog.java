package dev.postrider.relay;

import static org.slf4j.event.Level.DEBUG;
import static org.slf4j.event.Level.TRACE;
import static org.slf4j.event.Level.WARN;

import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.RelayLog.Subject;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;
import java.util.Optional;

/** Writes to the relay's log what becomes of messages. Failures at one topic of a destination are of a kind (see {@link LogThrottle}). */
final class MessageLog implements RelayListener {

    private final RelayLog log;
    private final LogThrottle throttle = new LogThrottle(RelayLog.LOG);

    MessageLog(RelayLog log) {
        this.log = log;
    }

    private record Kind(String event, String destination, String topic) {}

    private static Kind kind(String event, Attempt attempt) {
        return new Kind(event, attempt.destination(), attempt.message().topic());
    }

    @Override
    public void closed(Relay relay) {
        throttle.flush();
    }

    @Override
    public void delivered(Attempt attempt, Duration delay, Duration took) {
        log.at(TRACE, attempt)
                .addKeyValue("delay", RelayLog.shown(delay))
                .addKeyValue("took", RelayLog.shown(took))
                .log("Delivered message {} of lane {} to {}", id(attempt), attempt.lane(), attempt.destination());
    }

    @Override
    public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
        Subject subject = Subject.of(attempt);
        throttle.failed(
                WARN,
                kind(failure.getClass().getSimpleName(), attempt),
                (level, note) -> log.at(level, subject)
                        .addKeyValue("took", RelayLog.shown(took))
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
                .addKeyValue("took", RelayLog.shown(took))
                .log("Message {} of lane {} did not reach {}", id(attempt), attempt.lane(), attempt.destination());
    }

    @Override
    public void held(Attempt attempt, Duration delay) {
        log.at(DEBUG, attempt)
                .addKeyValue("delay", RelayLog.shown(delay))
                .log("Message {} of lane {} is tried again in {}", id(attempt), attempt.lane(), RelayLog.shown(delay));
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
    public void overdue(Attempt attempt, Duration since) {
        Subject subject = Subject.of(attempt);
        throttle.failed(
                WARN,
                new Kind("overdue", attempt.destination(), ""),
                (level, note) -> log.at(level, subject)
                        .addKeyValue("since", RelayLog.shown(since))
                        .log(
                                "Destination {} has not reported the end of a send for {}; the key of message {} of"
                                        + " lane {} waits{}",
                                subject.destination(),
                                RelayLog.shown(since),
                                subject.id(),
                                subject.lane(),
                                note));
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
                                "The failure classifier failed on message {} of lane {}; the destination's own"
                                        + " judgement stands{}",
                                subject.id(),
                                subject.lane(),
                                note));
    }

    private static MessageId id(Attempt attempt) {
        return attempt.message().id();
    }
}
