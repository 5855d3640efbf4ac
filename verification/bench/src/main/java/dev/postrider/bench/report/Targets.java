package dev.postrider.bench.report;

import dev.postrider.bench.measure.Result;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All figures that something was wanted of, in the order in which tables show them. Stateless. */
final class Targets {

    private static final Predicate<Result> ANY = result -> true;
    private static final String RATIO = "ratio";

    static final List<Target> ALL = List.of(
            floor(
                    "drain, against the JDBC loop",
                    "drain",
                    to("jdbc-loop"),
                    RATIO,
                    Map.of("postgres", 0.6, "mysql", 0.6)),
            floor("drain, against `skip-locked`", "skip-locked", ANY, RATIO, Map.of("postgres", 3.0, "mysql", 2.0)),
            floor("… against `skip-locked-batched`", "skip-locked", ANY, "ratio_to_batched", Map.of()),
            floor("… against `gruelbox`", "peers", to("gruelbox"), RATIO, Map.of("postgres", 10.0, "mysql", 10.0)),
            floor("… against `namastack`", "peers", to("namastack"), RATIO, Map.of("postgres", 10.0, "mysql", 10.0)),
            floor("old snapshot, drain, against clean", "old-snapshot", load("drain"), RATIO, Map.of("postgres", 0.8)),
            floor(
                    "old snapshot, mixed, against clean",
                    "old-snapshot",
                    load("full-speed"),
                    RATIO,
                    Map.of("postgres", 0.8)),
            backlog(200_000, Map.of()),
            backlog(2_000_000, onServers(1.3)),
            p99(100, Map.of()),
            p99(1_000, onServers(10)),
            p99(2_000, Map.of()),
            floor("Kafka, against the bare client", "kafka", bytes(512).negate(), RATIO, onServers(0.65)),
            floor("… with 512 bytes", "kafka", bytes(512), RATIO, onServers(0.5)),
            floor("… in a transaction of each lane", "kafka-fenced", ANY, RATIO, onServers(0.4)),
            floor("… 1, 8 and 64 keys on one partition", "hot-key", to("kafka", "bare-client"), RATIO, onServers(0.5)),
            floor("… global order on one partition", "global", to("kafka", "bare-client"), RATIO, onServers(0.4)),
            floor("RabbitMQ, against the bare client", "rabbitmq", ANY, RATIO, onServers(0.5)),
            floor("NATS, against the bare client", "nats", ANY, RATIO, Map.of()),
            ceiling(
                    "enqueue: a transaction with one message, against none; 1, 2, 4, 8 producers",
                    "enqueue",
                    result -> result.number("messages_per_transaction") == 1,
                    onServers(1.3)),
            tracing("enqueue with tracing that is off, against none", "enqueue", "tracing-off", 1.05),
            tracing("… with every message sampled", "enqueue", "tracing-sampled", 1.2),
            tracing("drain with tracing that is off, against none", "drain", "tracing-off", 1.05),
            tracing("… with every message sampled", "drain", "tracing-sampled", 1.2),
            existing("records", "mysql"),
            moreWorkers("records", "mysql"),
            existing("enum-status", "mysql"),
            moreWorkers("enum-status", "mysql"),
            existing("outbox-events", "postgres", "mysql"),
            moreWorkers("outbox-events", "postgres", "mysql"),
            existing("event-outbox", "postgres"),
            moreWorkers("event-outbox", "postgres"),
            existing("pending-wait", "mysql"),
            existing("pending", "mysql"),
            floor("memory: messages/s with a heap of 128 MB", "memory", ANY, "rate", Map.of()));

    private Targets() {}

    private static Target floor(
            String what, String scenario, Predicate<Result> lines, String figure, Map<String, Double> wanted) {
        return new Target(what, scenario, lines, figure, false, wanted);
    }

    private static Target ceiling(String what, String scenario, Predicate<Result> lines, Map<String, Double> wanted) {
        return new Target(what, scenario, lines, RATIO, true, wanted);
    }

    /** Where one relay leads, there is one worker, and two settings. */
    private static Target existing(String preset, String... stores) {
        return floor(
                "existing tables `%s`, against the statements of their own system; 1 × 50, 4 × 50, 8 × 100 (one leader: 1 × 50, 1 × 100)"
                        .formatted(preset),
                "existing-" + preset,
                ANY,
                RATIO,
                onAll(1.2, stores));
    }

    private static Target moreWorkers(String preset, String... stores) {
        return floor(
                "… more workers, against one",
                "existing-" + preset,
                result -> result.number("workers") > 1,
                "ratio_to_first_setting",
                onAll(1, stores));
    }

    private static Map<String, Double> onAll(double limit, String... stores) {
        return Stream.of(stores).collect(Collectors.toMap(store -> store, store -> limit));
    }

    private static Target backlog(int rows, Map<String, Double> wanted) {
        String what = String.format(Locale.ROOT, "backlog of %,d: cost of a fetch, against one of 20,000", rows);
        return ceiling(what, "backlog", result -> result.number("backlog") == rows, wanted);
    }

    private static Target tracing(String what, String scenario, String subject, double limit) {
        return new Target(what, scenario, subject(subject), "tracing_cost", true, onServers(limit));
    }

    private static Target p99(int rate, Map<String, Double> wanted) {
        return new Target(
                String.format(Locale.ROOT, "mixed at %,d/s: p99 in milliseconds", rate),
                "mixed",
                result -> result.number("offered_rate") == rate,
                "p99_ms",
                true,
                wanted);
    }

    private static Predicate<Result> to(String subject) {
        return result -> result.text("ratio_to").equals(subject);
    }

    private static Predicate<Result> to(String broker, String subject) {
        return to(subject).and(result -> result.text("broker").equals(broker));
    }

    private static Predicate<Result> bytes(int payload) {
        return result -> result.text(Journal.CHECKPOINT).contains(" bytes=" + payload + " ");
    }

    private static Predicate<Result> subject(String subject) {
        return result -> result.text("subject").equals(subject);
    }

    private static Predicate<Result> load(String load) {
        return result -> result.text("load").equals(load);
    }

    private static Map<String, Double> onServers(double limit) {
        return Map.of("postgres", limit, "mysql", limit, "mariadb", limit);
    }
}
