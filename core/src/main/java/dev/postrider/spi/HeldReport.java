package dev.postrider.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is held, for operators.
 *
 * @param heads messages that will be tried again or are blocked, by lane and seq; those that only wait behind them are left out
 * @param waiting what waits because its destination, or a place there, could take nothing when it was last tried: no attempt was
 *     counted then. By destination and topic
 */
public record HeldReport(List<HeldHead> heads, List<Waiting> waiting) {

    public HeldReport {
        heads = List.copyOf(heads);
        waiting = List.copyOf(waiting);
    }

    /** How the error of a message begins that waits for a place of its destination; the reason follows. */
    public static final String WAITS = "Waits: ";

    /**
     * Messages of one topic that wait for their destination or for a place there.
     *
     * @param messages how many were tried, or would have been; not those behind them
     * @param since when the first of them failed
     * @param error one of the reasons
     */
    public record Waiting(String destination, String topic, long messages, Optional<Instant> since, String error) {

        public Waiting {
            error = error.startsWith(WAITS) ? error.substring(WAITS.length()) : error;
        }

        /** Whether a held message with this error waits for a place, or for its destination, which counts no attempt. */
        public static boolean isWaiting(int attempts, String error) {
            return attempts == 0 || error.startsWith(WAITS);
        }

        /** One for each destination and topic, for stores that look at single messages. */
        public static List<Waiting> group(Stream<Waiting> single) {
            Map<List<String>, Waiting> groups = new LinkedHashMap<>();
            single.forEach(one -> groups.merge(List.of(one.destination, one.topic), one, Waiting::and));
            return List.copyOf(groups.values());
        }

        private Waiting and(Waiting other) {
            Optional<Instant> first =
                    Stream.concat(since.stream(), other.since.stream()).min(Comparator.naturalOrder());
            return new Waiting(destination, topic, messages + other.messages, first, error);
        }
    }

    /**
     * A message that holds back its line.
     *
     * @param attempts how many have failed
     * @param error of the last attempt
     * @param nextAttemptIn zero if it is due; empty for one that is blocked until an operator acts
     */
    public record HeldHead(
            RowRef ref,
            String topic,
            String type,
            Optional<String> key,
            int attempts,
            String error,
            Optional<Duration> nextAttemptIn,
            Optional<Instant> firstFailedAt) {}
}
