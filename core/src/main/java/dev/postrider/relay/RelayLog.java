package dev.postrider.relay;

import dev.postrider.internal.Readable;
import dev.postrider.message.Headers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;
import org.slf4j.spi.NOPLoggingEventBuilder;

/**
 * Begins the log lines of one relay: each carries the outbox and the relay, and what it is about, as key-values. The keys are the same in
 * every line: outbox, relay, batch, lane, messageId, traceId, attempt, destination.
 */
final class RelayLog {

    static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final String outbox;
    private final String relay;

    RelayLog(String outbox, String relay) {
        this.outbox = outbox;
        this.relay = relay;
    }

    LoggingEventBuilder at(Level level) {
        return LOG.atLevel(level).addKeyValue("outbox", outbox).addKeyValue("relay", relay);
    }

    LoggingEventBuilder at(Level level, int lane) {
        return at(level).addKeyValue("lane", lane);
    }

    LoggingEventBuilder at(Level level, String destination) {
        return at(level).addKeyValue("destination", destination);
    }

    LoggingEventBuilder at(Level level, Attempt attempt) {
        return LOG.isEnabledForLevel(level) ? at(level, Subject.of(attempt)) : NOPLoggingEventBuilder.singleton();
    }

    LoggingEventBuilder at(Level level, Subject subject) {
        LoggingEventBuilder line = at(level, subject.lane())
                .addKeyValue("batch", subject.batch())
                .addKeyValue("messageId", subject.id())
                .addKeyValue("attempt", subject.attempt())
                .addKeyValue("destination", subject.destination());
        return subject.traceId()
                .map(traceId -> line.addKeyValue("traceId", traceId))
                .orElse(line);
    }

    /** What a line says of a message. Lines may be kept for a while, and the message may be large. */
    record Subject(String destination, int lane, MessageId id, int attempt, long batch, Optional<String> traceId) {

        private static final Pattern TRACE_PARENT = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-.*");

        static Subject of(Attempt attempt) {
            OutboxMessage message = attempt.message();
            return new Subject(
                    attempt.destination(),
                    attempt.lane(),
                    message.id(),
                    attempt.number(),
                    attempt.batch(),
                    traceId(message));
        }

        static Optional<String> traceId(OutboxMessage message) {
            return message.headers()
                    .get(Headers.TRACE_PARENT)
                    .map(TRACE_PARENT::matcher)
                    .filter(Matcher::matches)
                    .map(found -> found.group(1));
        }
    }

    static Shown shown(Duration time) {
        return new Shown(time);
    }

    /** A time as people read it, formatted only if the line is written. */
    record Shown(Duration time) {
        @Override
        public String toString() {
            return Readable.time(time);
        }
    }
}
