package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the relay's log: changes of state at info, what someone should look at at warn, batches at debug, messages at trace.
 *
 * <p>Every line carries the outbox and the run id as key-values. An idle relay logs nothing.
 */
final class LoggingListener implements RelayListener {

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final String outbox;
    private final String run;

    LoggingListener(String outbox, String run) {
        this.outbox = outbox;
        this.run = run;
    }

    @Override
    public void fetched(int rows, Duration took) {
        if (rows > 0) {
            LOG.atDebug()
                    .setMessage("Fetched")
                    .addKeyValue("outbox", outbox)
                    .addKeyValue("run", run)
                    .addKeyValue("rows", rows)
                    .addKeyValue("took", took)
                    .log();
        }
    }

    @Override
    public void settled(int rows, Duration took) {
        LOG.atDebug()
                .setMessage("Settled")
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("rows", rows)
                .addKeyValue("took", took)
                .log();
    }

    @Override
    public void delivered(String destination, OutboxMessage message, int attempt, Duration delay, Duration took) {
        LOG.atTrace()
                .setMessage("Delivered")
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("message", message.id())
                .addKeyValue("attempt", attempt)
                .addKeyValue("destination", destination)
                .log();
    }

    @Override
    public void failed(
            String destination, OutboxMessage message, int attempt, DeliveryResult.Failed failure, Duration took) {
        LOG.atWarn()
                .setMessage("Attempt failed: {}")
                .addArgument(failure.reason())
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("message", message.id())
                .addKeyValue("attempt", attempt)
                .addKeyValue("destination", destination)
                .setCause(failure.cause().orElse(null))
                .log();
    }

    @Override
    public void dead(OutboxMessage message, DeadReason reason, int attempts, String error) {
        LOG.atWarn()
                .setMessage("Message given up ({}): {}")
                .addArgument(reason)
                .addArgument(error)
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("message", message.id())
                .addKeyValue("attempt", attempts)
                .log();
    }

    @Override
    public void unreadable(String messageId, String reason) {
        LOG.atWarn()
                .setMessage("Row given up, it is no message: {}")
                .addArgument(reason)
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("message", messageId)
                .log();
    }

    @Override
    public void outage(String destination, String reason, Duration retryIn) {
        LOG.atWarn()
                .setMessage("Destination {} is unreachable, next try in {}: {}")
                .addArgument(destination)
                .addArgument(retryIn)
                .addArgument(reason)
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .log();
    }

    @Override
    public void recovered(String destination) {
        info("Destination {} is reachable", destination);
    }

    @Override
    public void paused(String destination) {
        info("Destination {} is paused by an operator", destination);
    }

    @Override
    public void laneTaken(int lane, long epoch) {
        LOG.atInfo()
                .setMessage("Took a lane")
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("lane", lane)
                .addKeyValue("epoch", epoch)
                .log();
    }

    @Override
    public void laneReleased(int lane) {
        LOG.atInfo()
                .setMessage("Gave a lane back")
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("lane", lane)
                .log();
    }

    @Override
    public void laneLost(int lane) {
        LOG.atWarn()
                .setMessage("Lost a lane")
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("lane", lane)
                .log();
    }

    @Override
    public void overdue(String destination, OutboxMessage message, Duration since) {
        LOG.atWarn()
                .setMessage("Destination {} has not reported the end of a send for {}; its key waits")
                .addArgument(destination)
                .addArgument(since)
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("message", message.id())
                .log();
    }

    @Override
    public void storeFailed(String operation, RuntimeException failure) {
        LOG.atWarn()
                .setMessage("The store failed to {}; trying again")
                .addArgument(operation)
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .setCause(failure)
                .log();
    }

    @Override
    public void sweepFoundMissed(int lane, int rows) {
        LOG.atError()
                .setMessage("The scan had missed {} rows; reading the lane anew. Please report this")
                .addArgument(rows)
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .addKeyValue("lane", lane)
                .log();
    }

    @Override
    public void stalled(String part, Duration since) {
        LOG.atError()
                .setMessage(
                        "A {} has hung for {} in the store or in a destination; its lanes go to others. Set time-outs"
                                + " in the driver and in the client")
                .addArgument(part)
                .addArgument(since)
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .log();
    }

    @Override
    public void crashed(String part, Throwable failure) {
        LOG.atError()
                .setMessage("The {} failed unexpectedly; it recovers by itself")
                .addArgument(part)
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .setCause(failure)
                .log();
    }

    private void info(String text, String argument) {
        LOG.atInfo()
                .setMessage(text)
                .addArgument(argument)
                .addKeyValue("outbox", outbox)
                .addKeyValue("run", run)
                .log();
    }
}
