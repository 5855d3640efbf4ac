package dev.postrider.bench.suite;

import dev.postrider.bench.Pace;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.internal.SafeText;
import dev.postrider.service.database.DatabaseSettings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What to run, and how.
 *
 * @param scenarios in this order
 * @param stores names of databases that can be started, or JDBC addresses
 * @param destinations URIs of brokers, or names of brokers to start; for a scenario that can use none of them its own is started
 * @param messages instead of each scenario's own number
 * @param bytes instead of each scenario's own payload length
 * @param rounds instead of each scenario's own number
 * @param isFast whether commits may return before they are on disk
 * @param isQuick whether each scenario is to take less than a minute, and does less for it
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

    /** A relay runs for days: what counts is the speed of compiled code. */
    private static final Duration WARM_UP = Duration.ofSeconds(30);

    private static final Duration SHORT_WARM_UP = Duration.ofSeconds(10);

    /** How much this scenario is to do. */
    Size sizeOf(Scenario scenario) {
        Size own = isQuick ? scenario.summary().quickSize() : scenario.summary().size();
        return new Size(messages.orElse(own.messages()), bytes.orElse(own.bytes()), rounds.orElse(own.rounds()));
    }

    /** Begins now. Who says how many rounds there are has the time for them, and who says how many messages, for no other warm-up. */
    Pace paceOf(Scenario scenario) {
        boolean isLimited = isQuick && rounds.isEmpty();
        return new Pace(
                sizeOf(scenario),
                scenario.summary().size(),
                isLimited ? Optional.of(scenario.quickTime()) : Optional.empty(),
                warmUp(isLimited));
    }

    private Duration warmUp(boolean isLimited) {
        if (messages.isPresent()) {
            return Duration.ZERO;
        }
        return isLimited ? SHORT_WARM_UP : WARM_UP;
    }

    /** Says how much is to be done; for people. */
    String describe(Scenario scenario) {
        Size size = sizeOf(scenario);
        return "%s: %s%s".formatted(scenario.name(), isQuick && rounds.isEmpty() ? "at most " : "", describe(size));
    }

    /** Says how far it was scaled down; for people. */
    static String describeScale(Scenario scenario, double scale) {
        return String.format(
                Locale.ROOT,
                "%s: scaled to %.1f %% of the full %s",
                scenario.name(),
                100 * scale,
                describe(scenario.summary().size()));
    }

    private static String describe(Size size) {
        return String.format(
                Locale.ROOT,
                "%,d messages of %,d bytes in each of %d rounds",
                size.messages(),
                size.bytes(),
                size.rounds());
    }

    /** The broker that this scenario uses: a URI, or the name of one to start; empty if it needs none. */
    Optional<String> destinationOf(Scenario scenario) {
        return destinations.stream()
                .filter(given -> scenario.brokers().contains(brokerOf(given)))
                .findFirst()
                .or(() -> scenario.brokers().stream().findFirst());
    }

    /** The name of the broker, for a scenario that can use several. */
    Optional<String> chosenBroker(Scenario scenario) {
        return destinationOf(scenario)
                .filter(chosen -> scenario.brokers().size() > 1)
                .map(SuiteSettings::brokerOf);
    }

    static boolean isAddress(String destination) {
        return destination.contains("://");
    }

    private static String brokerOf(String destination) {
        return switch (isAddress(destination) ? destination.substring(0, destination.indexOf(':')) : destination) {
            case "kafka" -> "kafka";
            case "amqp", "amqps", "rabbitmq" -> "rabbitmq";
            case "nats", "tls" -> "nats";
            default ->
                throw new BenchException(("--destination is %s, expected kafka, rabbitmq, nats, or the address of one: "
                                + "kafka://host:9092, amqp://user:password@host:5672 or nats://host:4222")
                        .formatted(SafeText.address(destination)));
        };
    }

    /** What makes two runs of a scenario on a database the same, so that one need not be repeated. Holds no secret. */
    String checkpoint(Scenario scenario, String store) {
        Size size = sizeOf(scenario);
        return "%s %s%s messages=%d bytes=%d rounds=%d seed=%d fast=%b quick=%b"
                .formatted(
                        scenario.name(),
                        shown(store),
                        chosenBroker(scenario).map(name -> " " + name).orElse(""),
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
