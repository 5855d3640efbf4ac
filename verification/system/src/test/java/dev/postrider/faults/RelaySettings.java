package dev.postrider.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The options of one relay process, as they go through its command line. */
final class RelaySettings {

    private static final String DESTINATION = "destination.";

    private final Map<String, String> values;

    private RelaySettings(Map<String, String> values) {
        this.values = values;
    }

    /** A relay with a short lease, so that tests need not wait long for a take-over. */
    static RelaySettings of(String url, String user, String password) {
        return new RelaySettings(Map.of())
                .with("url", url)
                .with("user", user)
                .with("password", password)
                .lease(Duration.ofSeconds(3))
                .batchSize(200)
                .maxInFlight(200)
                .maxInFlightBytes(4 << 20)
                .maxAttempts(10)
                .backoff(Duration.ofMillis(100));
    }

    static RelaySettings parse(String[] args) {
        Map<String, String> values = new TreeMap<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            values.put(arg.substring(0, equals), arg.substring(equals + 1));
        }
        return new RelaySettings(values);
    }

    List<String> toArgs() {
        List<String> args = new ArrayList<>();
        values.forEach((name, value) -> args.add(name + "=" + value));
        return args;
    }

    private RelaySettings with(String name, Object value) {
        Map<String, String> copy = new TreeMap<>(values);
        copy.put(name, value.toString());
        return new RelaySettings(copy);
    }

    RelaySettings name(String value) {
        return with("name", value);
    }

    RelaySettings url(String value) {
        return with("url", value);
    }

    /** Sends messages of this topic to a destination of the same name; the only destination gets all topics. */
    RelaySettings destination(String topic, int port) {
        return with(DESTINATION + topic, port);
    }

    /** Destinations report within a quarter of it, unless {@link #deliveryTimeout} is set afterwards. */
    RelaySettings lease(Duration value) {
        return with("lease", value).deliveryTimeout(value.dividedBy(4));
    }

    RelaySettings deliveryTimeout(Duration value) {
        return with("deliveryTimeout", value);
    }

    RelaySettings batchSize(int value) {
        return with("batchSize", value);
    }

    RelaySettings maxInFlight(int value) {
        return with("maxInFlight", value);
    }

    RelaySettings maxInFlightBytes(long value) {
        return with("maxInFlightBytes", value);
    }

    RelaySettings maxAttempts(int value) {
        return with("maxAttempts", value);
    }

    RelaySettings backoff(Duration value) {
        return with("backoff", value);
    }

    String name() {
        return values.get("name");
    }

    String url() {
        return values.get("url");
    }

    String user() {
        return values.get("user");
    }

    String password() {
        return values.get("password");
    }

    Duration lease() {
        return Duration.parse(values.get("lease"));
    }

    Duration deliveryTimeout() {
        return Duration.parse(values.get("deliveryTimeout"));
    }

    int batchSize() {
        return Integer.parseInt(values.get("batchSize"));
    }

    int maxInFlight() {
        return Integer.parseInt(values.get("maxInFlight"));
    }

    long maxInFlightBytes() {
        return Long.parseLong(values.get("maxInFlightBytes"));
    }

    int maxAttempts() {
        return Integer.parseInt(values.get("maxAttempts"));
    }

    Duration backoff() {
        return Duration.parse(values.get("backoff"));
    }

    /** Ports by topic. */
    Map<String, Integer> destinations() {
        Map<String, Integer> ports = new TreeMap<>();
        values.forEach((name, value) -> {
            if (name.startsWith(DESTINATION)) {
                ports.put(name.substring(DESTINATION.length()), Integer.valueOf(value));
            }
        });
        return ports;
    }
}
