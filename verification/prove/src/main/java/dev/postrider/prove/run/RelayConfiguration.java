package dev.postrider.prove.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the configuration file of a relay under proof. Secrets stand in its environment, not in the file. */
final class RelayConfiguration {

    /** Short, so that a proof sees many take-overs; long enough for a busy machine. */
    static final Duration LEASE = Duration.ofSeconds(4);

    private static final String VARIABLE = "POSTRIDER_PROVE_%d";

    private final Map<String, String> environment = new LinkedHashMap<>();
    private final StringBuilder text = new StringBuilder();

    RelayConfiguration(ProofOutbox outbox, Map<String, String> database, Map<String, String> destination) {
        line(0, "http:");
        line(1, "enabled: false");
        line(0, "destinations:");
        line(1, "broker:");
        destination.forEach((key, value) -> setting(2, key, value));
        line(0, "outboxes:");
        line(1, "proof:");
        outbox.configuration().forEach(line -> line(2, line));
        line(2, "destination: broker");
        line(2, "database:");
        database.forEach((key, value) -> setting(3, key, value));
        line(2, "relay:");
        line(3, "lease: " + LEASE.toMillis() + "ms");
        line(3, "outage-backoff: exponential 100ms 1s");
        outbox.ordering().ifPresent(ordering -> line(3, "ordering: " + ordering));
    }

    private void setting(int depth, String key, String value) {
        String variable = VARIABLE.formatted(environment.size());
        environment.put(variable, value);
        line(depth, key + ": ${" + variable + "}");
    }

    private void line(int depth, String line) {
        text.append("  ".repeat(depth)).append(line).append('\n');
    }

    Map<String, String> environment() {
        return environment;
    }

    void write(Path file) {
        try {
            Files.writeString(file, text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
