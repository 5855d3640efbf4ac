package dev.postrider.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The command: {@code Benchmarks <scenario> --store postgres|mysql|mariadb [--messages N] [--bytes N] [--rounds N] [--fast]}.
 *
 * <p>Starts a server of its own with durable settings, prints a JSON line for each subject, and removes the server. With
 * {@code --fast} it uses the servers that the tests share, which do not wait for the disk.
 */
public final class Benchmarks {

    private static final Map<String, Scenario> SCENARIOS = Map.ofEntries(
            Map.entry("enqueue", new EnqueueScenario()),
            Map.entry("drain", new DrainScenario()),
            Map.entry("skip-locked", new SkipLockedScenario()),
            Map.entry("mixed", new MixedScenario()),
            Map.entry("old-snapshot", new OldSnapshotScenario()),
            Map.entry("backlog", new BacklogScenario()),
            Map.entry("memory", new MemoryScenario()),
            Map.entry("writers", new WritersScenario()),
            Map.entry("kafka", new BrokerScenario("kafka", BenchKafka::start)),
            Map.entry("kafka-fenced", new BrokerScenario("kafka-fenced", BenchKafka::startFenced)),
            Map.entry("rabbitmq", new BrokerScenario("rabbitmq", BenchRabbitmq::start)),
            Map.entry("nats", new BrokerScenario("nats", BenchNats::start)));

    private Benchmarks() {}

    public static void main(String[] arguments) throws Exception {
        List<String> words = Arrays.asList(arguments);
        if (words.isEmpty() || !SCENARIOS.containsKey(words.get(0))) {
            throw new IllegalArgumentException(
                    "Name a scenario: " + SCENARIOS.keySet().stream().sorted().toList());
        }
        Settings settings = Settings.parse(words.subList(1, words.size()));
        run(words.get(0), settings, System.out::println);
    }

    static void run(String scenario, Settings settings, ResultSink results) throws Exception {
        Scenario wanted = SCENARIOS.get(scenario);
        try (BenchOutbox outbox = BenchOutbox.open(settings.store(), settings.fast())) {
            for (Result result : wanted.run(outbox, settings)) {
                results.accept(result.toJson());
            }
        }
    }

    /** Takes one line of JSON. */
    @FunctionalInterface
    interface ResultSink {
        void accept(String line);
    }
}
