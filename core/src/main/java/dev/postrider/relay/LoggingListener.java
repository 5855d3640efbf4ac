package dev.postrider.relay;

import static org.slf4j.event.Level.DEBUG;
import static org.slf4j.event.Level.ERROR;
import static org.slf4j.event.Level.INFO;
import static org.slf4j.event.Level.TRACE;
import static org.slf4j.event.Level.WARN;

import dev.postrider.internal.Readable;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;

/**
 * Writes the relay's log: changes of state at info, what someone should look at at warn, batches at debug, messages at trace.
 *
 * <p>Every text can be read alone; the same facts, and the run id, come as key-values. An idle relay logs nothing.
 */
final class LoggingListener implements RelayListener {

    private final RelayLog log;

    LoggingListener(RelayLog log) {
        this.log = log;
    }

    @Override
    public void started(Relay relay) {
        log.at(INFO).log("The relay is started");
    }

    @Override
    public void closed(Relay relay) {
        log.at(INFO).log("The relay is closed");
    }

    @Override
    public void fetched(long batch, int rows, Duration took) {
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
        log.at(WARN, attempt)
                .addKeyValue("took", shown(took))
                .setCause(failure.cause().orElse(null))
                .setMessage("Attempt {} to deliver message {} of lane {} to {} failed: {}")
                .addArgument(attempt.number())
                .addArgument(id(attempt))
                .addArgument(attempt.lane())
                .addArgument(attempt.destination())
                .addArgument(failure.reason())
                .log();
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
        log.at(WARN, attempt).log(
                "Message {} of lane {} blocks its key after {}, until an operator acts: {}",
                id(attempt),
                attempt.lane(),
                Readable.count(attempt.number(), "attempt"),
                error);
    }

    @Override
    public void dead(Attempt attempt, DeadReason reason, String error) {
        log.at(WARN, attempt)
                .addKeyValue("reason", reason)
                .log(
                        "Message {} of lane {} is a dead letter after {} ({}): {}",
                        id(attempt),
                        attempt.lane(),
                        Readable.count(attempt.number(), "attempt"),
                        reason,
                        error);
    }

    @Override
    public void unroutable(int lane, OutboxMessage message, String reason) {
        log.at(WARN, lane)
                .addKeyValue("message", message.id())
                .addKeyValue("attempt", 0)
                .log(
                        "Message {} of lane {} is a dead letter, since it leads to no destination: {}",
                        message.id(),
                        lane,
                        reason);
    }

    @Override
    public void unreadable(int lane, MessageId id, String reason) {
        log.at(WARN, lane)
                .addKeyValue("message", id)
                .addKeyValue("attempt", 0)
                .log("Row {} of lane {} is a dead letter, since it is no message: {}", id, lane, reason);
    }

    @Override
    public void settled(int rows, Duration took) {
        log.at(DEBUG)
                .addKeyValue("rows", rows)
                .addKeyValue("took", shown(took))
                .log("Recorded {} in {}", Readable.count(rows, "outcome"), shown(took));
    }

    @Override
    public void settleRefused(int lane, int rows, Duration took) {
        log.at(WARN, lane)
                .addKeyValue("rows", rows)
                .addKeyValue("took", shown(took))
                .log(
                        "The outcomes of {} of lane {} came too late; its new owner sends them again",
                        Readable.count(rows, "row"),
                        lane);
    }

    @Override
    public void outage(String destination, String reason, Duration retryIn) {
        log.at(WARN, destination).log(
                "Destination {} is unreachable, next try in {}: {}", destination, shown(retryIn), reason);
    }

    @Override
    public void recovered(String destination) {
        log.at(INFO, destination).log("Destination {} is reachable", destination);
    }

    @Override
    public void unavailable(String destination, String place, String reason) {
        log.at(WARN, destination)
                .addKeyValue("place", place)
                .log(
                        "{} of destination {} takes no messages; they wait, and no attempt is counted: {}",
                        place,
                        destination,
                        reason);
    }

    @Override
    public void available(String destination, String place) {
        log.at(INFO, destination)
                .addKeyValue("place", place)
                .log("{} of destination {} takes messages again", place, destination);
    }

    @Override
    public void slow(String destination, int inFlight) {
        log.at(WARN, destination)
                .addKeyValue("inFlight", inFlight)
                .log(
                        "Destination {} is slow and gets fewer messages at a time, so that others flow past it",
                        destination);
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
        log.at(WARN, lane).log("Lost lane {}: another relay has it, or its lease was not renewed in time", lane);
    }

    @Override
    public void overdue(Attempt attempt, Duration since) {
        log.at(WARN, attempt)
                .addKeyValue("since", shown(since))
                .log(
                        "Destination {} has not reported the end of a send for {}; the key of message {} of lane {}"
                                + " waits",
                        attempt.destination(),
                        shown(since),
                        id(attempt),
                        attempt.lane());
    }

    @Override
    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        log.at(WARN)
                .addKeyValue("operation", operation.name())
                .addKeyValue("took", shown(took))
                .setCause(failure)
                .log("The store failed to {}; trying again", operation);
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
        log.at(WARN, attempt)
                .setCause(failure)
                .log(
                        "The failure classifier failed on message {} of lane {}; the destination's own judgement"
                                + " stands",
                        id(attempt),
                        attempt.lane());
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
        log.at(ERROR).setCause(failure).log("The {} failed unexpectedly; it recovers by itself", part);
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
