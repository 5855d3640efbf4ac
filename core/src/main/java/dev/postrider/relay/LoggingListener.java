package dev.postrider.relay;

import static org.slf4j.event.Level.DEBUG;
import static org.slf4j.event.Level.ERROR;
import static org.slf4j.event.Level.INFO;
import static org.slf4j.event.Level.WARN;

import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import dev.postrider.message.PostriderException;
import java.time.Duration;

/**
 * Writes the relay's log but for what is about one message ({@link MessageLog}): changes of state at info, what someone should look at at
 * warn, batches at debug.
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

    private record Kind(String event, String destination) {}

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
        if (rows > 0 && RelayLog.LOG.isDebugEnabled()) {
            log.at(DEBUG)
                    .addKeyValue("batch", batch)
                    .addKeyValue("rows", rows)
                    .addKeyValue("took", RelayLog.shown(took))
                    .log("Fetched {} in {} as batch {}", Readable.count(rows, "row"), RelayLog.shown(took), batch);
        }
    }

    @Override
    public void settled(int rows, Duration took) {
        storeWorked();
        if (RelayLog.LOG.isDebugEnabled()) {
            log.at(DEBUG)
                    .addKeyValue("rows", rows)
                    .addKeyValue("took", RelayLog.shown(took))
                    .log("Recorded {} in {}", Readable.count(rows, "outcome"), RelayLog.shown(took));
        }
    }

    @Override
    public void settleRefused(int lane, int rows, Duration took) {
        throttle.failed(
                WARN,
                "refused",
                (level, note) -> log.at(level, lane)
                        .addKeyValue("rows", rows)
                        .addKeyValue("took", RelayLog.shown(took))
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
                new Kind("outage", destination),
                (level, note) -> log.at(level, destination).log(
                        "Destination {} is unreachable, next try in {}: {}{}",
                        destination,
                        RelayLog.shown(retryIn),
                        reason,
                        note));
    }

    @Override
    public void recovered(String destination) {
        boolean isTold = throttle.worked(
                new Kind("outage", destination),
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
                new Kind("unavailable", destination),
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
                new Kind("available", destination),
                (level, note) -> log.at(level, destination)
                        .addKeyValue("place", place)
                        .log("{} of destination {} takes messages again{}", place, destination, note));
    }

    @Override
    public void slow(String destination, int inFlight) {
        throttle.failed(
                WARN,
                new Kind("slow", destination),
                (level, note) -> log.at(level, destination)
                        .addKeyValue("inFlight", inFlight)
                        .log(
                                "Destination {} is slow and gets fewer messages at a time, so that others flow past"
                                        + " it{}",
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
    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        boolean isExpected = failure instanceof PostriderException;
        throttle.failed(
                WARN,
                isExpected ? STORE : operation,
                (level, note) -> log.at(level)
                        .addKeyValue("operation", operation.name())
                        .addKeyValue("took", RelayLog.shown(took))
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
    public void stalled(String part, Duration since) {
        log.at(ERROR)
                .addKeyValue("since", RelayLog.shown(since))
                .log(
                        "A {} has hung for {} in the store or in a destination; its lanes go to others. Set timeouts"
                                + " in the driver and in the client",
                        part,
                        RelayLog.shown(since));
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
}
