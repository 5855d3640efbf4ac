package dev.postrider.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Begins the log lines of one relay: each carries the outbox and the run id, and what it is about, as key-values. The keys
 * are the same in every line: outbox, run, batch, lane, message, attempt, destination.
 */
final class RelayLog {

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final String outbox;
    private final String run;

    RelayLog(String outbox, String run) {
        this.outbox = outbox;
        this.run = run;
    }

    LoggingEventBuilder at(Level level) {
        return LOG.atLevel(level).addKeyValue("outbox", outbox).addKeyValue("run", run);
    }

    LoggingEventBuilder at(Level level, int lane) {
        return at(level).addKeyValue("lane", lane);
    }

    LoggingEventBuilder at(Level level, String destination) {
        return at(level).addKeyValue("destination", destination);
    }

    LoggingEventBuilder at(Level level, Attempt attempt) {
        return at(level, attempt.lane())
                .addKeyValue("batch", attempt.batch())
                .addKeyValue("message", attempt.message().id())
                .addKeyValue("attempt", attempt.number())
                .addKeyValue("destination", attempt.destination());
    }
}
