package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a message's headers how often it was tried before, and writes it there. Headers come from anywhere: whatever is not of the
 * expected form counts for nothing.
 */
final class DeathRecord {

    /** Set by us when a message is sent to a waiting queue: the attempts so far. */
    static final String ATTEMPTS = "x-postrider-attempts";

    /** Set by us at the same time: where it was published first. */
    static final String EXCHANGE = "x-postrider-exchange";

    private static final List<String> RECORDS = List.of("x-postrider-", "x-first-death-", "x-last-death-");
    private static final Set<String> NO_FAILURES = Set.of("expired", "maxlen");
    private static final String FIRST_EXCHANGE = "x-first-death-exchange";
    private static final String FIRST_QUEUE = "x-first-death-queue";
    private static final String FIRST_REASON = "x-first-death-reason";
    private static final String REJECTED = "rejected";
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
                .filter(entry -> isRejection(entry, queue))
                .map(entry -> (Map<?, ?>) entry)
                .mapToLong(entry -> number(entry.get("count")))
                .reduce(0, DeathRecord::sum);
    }

    /**
     * The headers that a message has after it was rejected from this queue, as the broker writes them for other services that count by
     * them, and as we do ourselves, since brokers from version 4 on forget the former when a message is published.
     */
    static Map<String, Object> rejected(TakenMessage taken, String queue, String exchange, int attempts) {
        Map<String, Object> before = taken.headers();
        List<?> entries = before.get(DEATHS) instanceof List<?> deaths ? deaths : List.of();
        List<Object> after = new ArrayList<>();
        after.add(Map.of(
                "count",
                deathsIn(queue, entries) + 1,
                "reason",
                REJECTED,
                "queue",
                queue,
                "time",
                new Date(),
                "exchange",
                taken.envelope().getExchange(),
                "routing-keys",
                List.of(taken.envelope().getRoutingKey())));
        entries.stream()
                .filter(entry -> isEntry(entry) && !isRejection(entry, queue))
                .forEach(after::add);
        Map<String, Object> headers =
                new LinkedHashMap<>(Map.of(DEATHS, after, ATTEMPTS, attempts, EXCHANGE, exchange));
        if (!before.containsKey(FIRST_QUEUE)) {
            headers.putAll(Map.of(FIRST_QUEUE, queue, FIRST_REASON, REJECTED, FIRST_EXCHANGE, exchange));
        }
        return headers;
    }

    /** Whether the broker did not write this record: the queue of RabbitMQ 3.10 crashes when it must add to such a one. */
    static boolean isForged(Map<String, Object> headers) {
        return headers.get(DEATHS) instanceof List<?> entries
                && !entries.stream().allMatch(DeathRecord::isEntry);
    }

    static void removeForged(Map<String, Object> headers) {
        if (isForged(headers)) {
            headers.remove(DEATHS);
        }
    }

    private static boolean isEntry(@Nullable Object entry) {
        return entry instanceof Map<?, ?> map && (!map.containsKey("count") || map.get("count") instanceof Number);
    }

    private static boolean isRejection(@Nullable Object entry, String queue) {
        return entry instanceof Map<?, ?> map
                && queue.equals(text(map.get("queue")))
                && !NO_FAILURES.contains(text(map.get("reason")));
    }

    private static long sum(long left, long right) {
        return Math.min(Integer.MAX_VALUE, left + right);
    }

    /** The exchange that the message was published to at first. */
    static String exchangeOf(TakenMessage taken, String queue) {
        Map<String, Object> headers = taken.headers();
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
        return AmqpText.text(value).orElse("");
    }

    /** One less than the greatest number, so that one more attempt can be counted. */
    private static int clamp(long number) {
        return (int) Math.min(Integer.MAX_VALUE - 1, number);
    }
}
