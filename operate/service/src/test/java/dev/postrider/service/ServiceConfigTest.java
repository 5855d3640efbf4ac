package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.service.config.ConfigException;
import dev.postrider.spi.Destination;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceConfigTest {

    private static final String GOOD = """
        http:
          port: 0
        destinations:
          everything:
            type: log
          big:
            type: file
            path: big.jsonl
        outboxes:
          orders:
            database:
              url: jdbc:h2:mem:orders
              user: ann
              password: ${DB_PASSWORD}
            prefix: orders
            lanes: 4
            max-oldest-age: 5m
            routes:
              - topic: big.*
                destination: big
            destination: everything
            relay:
              workers: 3
              backoff: exponential 100ms 1m
              ordering: none
            cleanup:
              retention: 30d
            partitions:
              period: day
        """;

    @TempDir
    private Path directory;

    private ServiceConfig load(String yaml) {
        try {
            Path file = Files.writeString(directory.resolve("postrider.yaml"), yaml);
            return ServiceConfig.load(file, Map.of("DB_PASSWORD", "top secret"));
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }

    @Test
    void readsOutboxesAndDestinations() {
        OutboxConfig orders = load(GOOD).outbox("orders");

        assertThat(orders.name()).isEqualTo("orders");
        assertThat(orders.database().user()).contains("ann");
        assertThat(orders.database().password().orElseThrow().reveal()).isEqualTo("top secret");
        assertThat(orders.maxOldestAge()).contains(Duration.ofMinutes(5));
        assertThat(orders.routes().destinationOf("big.one")).isEqualTo("big");
        assertThat(orders.routes().destinationOf("bigone")).isEqualTo("everything");
        assertThat(orders.routes().destinations()).containsExactly("big", "everything");
    }

    @Test
    void showsNoPassword() {
        OutboxConfig orders = load(GOOD).outbox("orders");

        assertThat(orders.database().toString() + orders.database().password()).doesNotContain("secret");
    }

    @Test
    void takesTheOnlyDestinationForEverything() {
        ServiceConfig config = load("""
            destinations:
              only: {type: log}
            outboxes:
              a: {database: {url: "jdbc:h2:mem:a"}}
            """);

        assertThat(config.outbox("a").routes().destinationOf("any")).isEqualTo("only");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "port: 0 | prot: 0 | line 2: http: unknown key 'prot'; did you mean 'port'?",
                "port: 0 | port: 99999 | line 2: http.port is 99999, expected 0 to 65535",
                "type: log | type: lgo | line 5: destinations.everything.type is 'lgo'; did you mean 'log'?",
                "path: big.jsonl | paht: big.jsonl | line 8: destinations.big: unknown key 'paht'; did you mean"
                        + " 'path'?",
                "url: jdbc:h2:mem:orders | url: jdbc:orcl:x | line 12: outboxes.orders.database.url: The URL"
                        + " 'jdbc:orcl:...' is of no database",
                "url: jdbc:h2:mem:orders | uri: x | line 12: outboxes.orders.database: unknown key 'uri'; did you mean"
                        + " 'url'?",
                "lanes: 4 | lanes: 5000 | line 16: outboxes.orders.lanes is 5000, expected 1 to 1024",
                "lanes: 4 | lanes: four | line 16: outboxes.orders.lanes is 'four', expected a whole number",
                "prefix: orders | prefix: or-ders | line 15: outboxes.orders.prefix is 'or-ders', expected letters",
                "destination: everything | destination: everythin | line 21: outboxes.orders.destination: there is no"
                        + " destination 'everythin'; did you mean 'everything'?",
                "destination: big | destination: bigg | line 20: outboxes.orders.routes[0].destination: there is no"
                        + " destination 'bigg'",
                "workers: 3 | workers: 300 | line 23: outboxes.orders.relay.workers is 300, expected 1 to 64",
                "ordering: none | ordering: fifo | line 25: outboxes.orders.relay.ordering is 'fifo', expected one of"
                        + " per-key, global, none",
                "backoff: exponential 100ms 1m | backoff: slow | line 24: outboxes.orders.relay.backoff is 'slow',"
                        + " expected for example",
                "backoff: exponential 100ms 1m | backoff: linear 1m 1s | line 24: outboxes.orders.relay.backoff:"
                        + " Back-off max is 1 s",
                "backoff: exponential 100ms 1m | backoff: exponential 1s 1m 0.5 | line 24:"
                        + " outboxes.orders.relay.backoff: Back-off multiplier is 0.5",
                "backoff: exponential 100ms 1m | backoff: exponential 1s 1m fast | line 24:"
                        + " outboxes.orders.relay.backoff is 'fast', expected a number",
                "retention: 30d | retention: 0 | line 27: outboxes.orders.cleanup.retention is 0 ms, expected",
                "retention: 30d | limit: 5 | line 26: outboxes.orders.cleanup: 'retention' is missing",
                "period: day | period: week | line 29: outboxes.orders.partitions.period is 'week', expected one of"
                        + " hour, day, month",
                "user: ann | password-file: pw | password-file: stands beside 'password'",
                "${DB_PASSWORD} | ${DB_PASWORD} | line 14: outboxes.orders.database.password: the environment variable"
                        + " DB_PASWORD is not set",
            })
    void namesTheLineOfAMistakeAndWhatWouldBeRight(String right, String wrong, String message) {
        String yaml = GOOD.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
        if (wrong.startsWith("password-file")) {
            writePassword();
            yaml = yaml.replace("password-file: pw", "password-file: " + directory.resolve("pw"));
        }
        String file = yaml;

        assertThatThrownBy(() -> load(file)).isInstanceOf(ConfigException.class).hasMessageContaining(message);
    }

    private void writePassword() {
        try {
            Files.writeString(directory.resolve("pw"), "x");
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }

    @Test
    void wantsAnOutboxAndAWayForEveryMessage() {
        assertThatThrownBy(() -> load("destinations:\n  a: {type: log}\n"))
                .hasMessageContaining("'outboxes' is missing");
        assertThatThrownBy(() -> load(GOOD.replace("    destination: everything\n", "")))
                .hasMessageContaining("line 10: outboxes.orders: 'destination' is missing");
        assertThatThrownBy(() -> load(GOOD).outbox("order")).hasMessageContaining("did you mean 'orders'?");
    }

    @Test
    void quotesNoAddressWhosePasswordItCannotFind() {
        assertThatThrownBy(() -> load(GOOD.replace("jdbc:h2:mem:orders", "jdbc:oracle:thin:ann/b1rthday@db:1521/app")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'jdbc:oracle:...'")
                .hasMessageNotContaining("b1rthday");
        assertThatThrownBy(() -> load(GOOD.replace(
                                "type: log", "type: kafka\n    bootstrap-servers: \"ann:b1rth day@kafka:9092\""))
                        .createDestinations())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 6: destinations.everything.bootstrap-servers", "sasl.jaas.config")
                .hasMessageNotContaining("b1rth");
    }

    @Test
    void makesTheDestinationsThatOutboxesNeed() {
        Map<String, Destination> made = load(GOOD.replace(
                                "type: log", "type: rabbitmq\n    addresses: a:1, b\n    channels: 2")
                        .replace("path: big.jsonl", "path: " + directory.resolve("big.jsonl")))
                .createDestinations();

        assertThat(made).containsOnlyKeys("everything", "big");
        assertThat(made.get("everything").name()).isEqualTo("everything");
        made.values().forEach(Destination::close);
    }

    @Test
    void namesTheLineOfAWrongValueOfADestination() {
        assertThatThrownBy(() -> load(GOOD.replace("type: log", "type: rabbitmq\n    channels: 200"))
                        .createDestinations())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 6: destinations.everything.channels is 200, expected 1 to 64");
        assertThatThrownBy(() -> load(GOOD.replace("type: log", "type: rabbitmq\n    user: ann"))
                        .createDestinations())
                .hasMessageContaining("line 6: destinations.everything.user: has neither 'password' nor");
    }

    @Test
    void letsNoTwoOutboxesFenceEachOther() {
        String twoOutboxes = """
            destinations:
              main: {type: kafka, bootstrap-servers: "localhost:9092", fencing: app-outbox}
            outboxes:
              a: {database: {url: "jdbc:h2:mem:a"}}
              b: {database: {url: "jdbc:h2:mem:b"}}
            """;

        assertThatThrownBy(() -> load(twoOutboxes))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "line 2: destinations.main is for one outbox only, but outboxes a, b use it; give each");
        assertThat(load(twoOutboxes.replace(", fencing: app-outbox", "")).outboxNames())
                .containsExactly("a", "b");
    }

    @Test
    void fencesUnderTheNameInTheFile() {
        String tooLong = "x".repeat(201);

        assertThatThrownBy(() -> load("""
            destinations:
              main: {type: kafka, bootstrap-servers: "localhost:9092", fencing: %s}
            outboxes:
              a: {database: {url: "jdbc:h2:mem:a"}}
            """.formatted(tooLong)).createDestinations())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 2: destinations.main.fencing is '" + tooLong);
    }
}
