package dev.postrider.bench.suite;

import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.service.database.DatabaseSettings;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What to run, and how.
 *
 * @param scenarios in this order
 * @param stores names of databases that can be started, or JDBC addresses
 * @param destinations URIs of brokers; what none of them is for is started
 * @param messages instead of each scenario's own number
 * @param bytes instead of each scenario's own payload length
 * @param rounds instead of each scenario's own number
 * @param isFast whether commits may return before they are on disk
 */
public record SuiteSettings(
        List<Scenario> scenarios,
        List<String> stores,
        List<String> destinations,
        Optional<Integer> messages,
        Optional<Integer> bytes,
        Optional<Integer> rounds,
        long seed,
        boolean isFast,
        boolean isQuick) {

    /** How much this scenario is to do. */
    Size sizeOf(Scenario scenario) {
        Size own = isQuick ? scenario.quickSize() : scenario.size();
        return new Size(messages.orElse(own.messages()), bytes.orElse(own.bytes()), rounds.orElse(own.rounds()));
    }

    /** The share of the scenario's full work that it is to do. */
    double scaleOf(Scenario scenario) {
        return (double) sizeOf(scenario).work() / scenario.size().work();
    }

    /** Says how much is done, and how far that is scaled down; for people. */
    String describe(Scenario scenario) {
        Size size = sizeOf(scenario);
        Size full = scenario.size();
        String text = "%s: %,d messages of %,d bytes in each of %d rounds"
                .formatted(scenario.name(), size.messages(), size.bytes(), size.rounds());
        return size.equals(full)
                ? text
                : String.format(
                        Locale.ROOT,
                        "%s, scaled to %.1f %% of the full %,d messages of %,d bytes in each of %d rounds",
                        text,
                        100 * scaleOf(scenario),
                        full.messages(),
                        full.bytes(),
                        full.rounds());
    }

    /** The given broker that this scenario can use. */
    Optional<String> destinationOf(Scenario scenario) {
        return destinations.stream()
                .filter(uri -> scenario.broker().equals(Optional.of(brokerOf(uri))))
                .findFirst();
    }

    private static String brokerOf(String uri) {
        return switch (uri.substring(0, Math.max(0, uri.indexOf(':')))) {
            case "kafka" -> "kafka";
            case "amqp", "amqps" -> "rabbitmq";
            case "nats", "tls" -> "nats";
            default ->
                throw new BenchException(
                        "--destination is %s, expected kafka://host:9092, amqp://user:password@host:5672 or nats://host:4222"
                                .formatted(uri.replaceAll("//.*@", "//")));
        };
    }

    /** What makes two runs of a scenario on a database the same, so that one need not be repeated. Holds no secret. */
    String checkpoint(Scenario scenario, String store) {
        Size size = sizeOf(scenario);
        return "%s %s messages=%d bytes=%d rounds=%d seed=%d fast=%b quick=%b"
                .formatted(
                        scenario.name(),
                        shown(store),
                        size.messages(),
                        size.bytes(),
                        size.rounds(),
                        seed,
                        isFast,
                        isQuick);
    }

    /** The database as it may be shown: an address may hold a password. */
    static String shown(String store) {
        return store.startsWith("jdbc:")
                ? new DatabaseSettings.Builder().url(store).build().safeUrl()
                : store;
    }
}
