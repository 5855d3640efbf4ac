package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a message's headers how often it was tried before. Headers come from anywhere: whatever is not of the expected form counts
 * for nothing.
 */
final class DeathRecord {

    /** Set by us when a message is sent to a waiting queue rather than rejected: the attempts so far. */
    static final String ATTEMPTS = "x-postrider-attempts";

    /** Set by us at the same time: where it was published first, which the broker does not record then. */
    static final String EXCHANGE = "x-postrider-exchange";

    private static final List<String> RECORDS = List.of("x-postrider-", "x-first-death-", "x-last-death-");
    private static final Set<String> NO_FAILURES = Set.of("expired", "maxlen");
    private static final String FIRST_EXCHANGE = "x-first-death-exchange";
    private static final String DEATHS = "x-death";
    private static final String REDELIVERIES = "x-delivery-count";

    private DeathRecord() {}

    /** How often the message was dead-lettered from this queue, or sent to wait by us. */
    static int retriesFrom(String queue, BasicProperties properties) {
        Map<String, Object> headers = headersOf(properties);
        long deaths = headers.get(DEATHS) instanceof List<?> entries ? deathsIn(queue, entries) : 0;
        return clamp(Math.max(deaths, number(headers.get(ATTEMPTS))));
    }

    /**
     * Looks for the queue by its own name, not by {@code x-first-death-queue}: a message that died elsewhere before would never be
     * found to have used up its retries.
     */
    private static long deathsIn(String queue, List<?> entries) {
        return entries.stream()
                .filter(Map.class::isInstance)
                .map(entry -> (Map<?, ?>) entry)
                .filter(entry -> queue.equals(text(entry.get("queue"))))
                .filter(entry -> !NO_FAILURES.contains(text(entry.get("reason"))))
                .mapToLong(entry -> number(entry.get("count")))
                .reduce(0, DeathRecord::sum);
    }

    private static long sum(long left, long right) {
        return Math.min(Integer.MAX_VALUE, left + right);
    }

    /** The exchange that the message was published to at first. */
    static String exchangeOf(TakenMessage taken, String queue) {
        Map<String, Object> headers = headersOf(taken.properties());
        String kept = text(headers.get(EXCHANGE));
        String first = kept.isEmpty() ? text(headers.get(FIRST_EXCHANGE)) : kept;
        String exchange = first.isEmpty() ? taken.envelope().getExchange() : first;
        return exchange.isEmpty() ? queue : exchange;
    }

    /** Whether a header says what happened to the message at the broker, not what its producer wanted to say. */
    static boolean isRecord(String header) {
        return header.equals(DEATHS)
                || header.equals(REDELIVERIES)
                || RECORDS.stream().anyMatch(header::startsWith);
    }

    /** How often a quorum queue has delivered it before; empty for queues that do not count. */
    static Optional<Integer> redeliveries(BasicProperties properties) {
        return Optional.ofNullable(headersOf(properties).get(REDELIVERIES))
                .map(DeathRecord::number)
                .map(DeathRecord::clamp);
    }

    private static Map<String, Object> headersOf(BasicProperties properties) {
        return Optional.ofNullable(properties.getHeaders()).orElse(Map.of());
    }

    /** Any integer type of AMQP, or digits. */
    private static long number(@Nullable Object value) {
        if (value instanceof Number number) {
            return Math.max(0, Math.min(Integer.MAX_VALUE, number.longValue()));
        }
        String text = text(value);
        return text.matches("\\d{1,9}") ? Long.parseLong(text) : 0;
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : BinaryEvent.text(value).orElse("");
    }

    /** One less than the greatest number, so that one more attempt can be counted. */
    private static int clamp(long number) {
        return (int) Math.min(Integer.MAX_VALUE - 1, number);
    }
}
