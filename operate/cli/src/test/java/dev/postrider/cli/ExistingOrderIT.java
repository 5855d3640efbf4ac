package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.prove.broker.ProofBroker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One relay on a table of another system, and nothing fails: the rows of a key arrive in their order, also while the broker's client
 * looks up their topic. Without a leader nobody promises it where something fails.
 */
@Timeout(600)
class ExistingOrderIT {

    private static final int ROWS = 20;

    private final String topic = "order_" + UUID.randomUUID().toString().substring(0, 8);
    private final Shell shell = new Shell();

    @TempDir
    private Path directory;

    static Stream<Arguments> everyTableAtEveryBroker() {
        return Stream.of(Broker.values())
                .flatMap(broker -> Stream.of(Table.values()).map(table -> Arguments.of(table, broker)));
    }

    @ParameterizedTest
    @MethodSource("everyTableAtEveryBroker")
    void deliversTwentyRowsOfAKeyInTheirOrder(Table table, Broker broker) throws IOException {
        assertThat(delivered(table, broker)).isEqualTo(expected());
    }

    private List<String> delivered(Table table, Broker at) throws IOException {
        ProofBroker broker = ProofBroker.at(at.uri.get(), topic);
        try (Database database = table.isPostgres
                ? Servers.postgres().createDatabase("ordered")
                : Servers.mysql().createDatabase("ordered")) {
            broker.prepare();
            shell.run(
                    "schema", "print", "--dialect", table.isPostgres ? "postgres" : "mysql", "--preset", table.preset);
            Stream.of(shell.out().split(";\\s*\\n"))
                    .filter(sql -> !sql.isBlank())
                    .forEach(sql -> Sql.execute(database, sql));
            IntStream.rangeClosed(1, ROWS).forEach(n -> Sql.execute(database, table.row(n)));

            assertThat(shell.run(
                            "relay", "--once", "--config", config(table, database, broker.configuration(at.uri.get()))))
                    .as(shell.err())
                    .isZero();

            return broker.readAll().stream()
                    .map(arrival -> arrival.id().replace("foreign:", ""))
                    .toList();
        } finally {
            broker.remove();
        }
    }

    private static List<String> expected() {
        return IntStream.rangeClosed(1, ROWS).mapToObj(ExistingOrderIT::id).toList();
    }

    /** A UUIDv7, as the table demands that is in order of its ids. */
    private static String id(int n) {
        return "01900000-0000-7000-8000-%012d".formatted(n);
    }

    private String config(Table table, Database database, Map<String, String> destination) throws IOException {
        String broker = destination.entrySet().stream()
                .map(entry -> "%s: \"%s\"".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
        return Files.writeString(directory.resolve("postrider.yaml"), """
                destinations:
                  broker: { %s }
                outboxes:
                  old:
                    database: { url: "%s", user: "%s", password: "%s" }
                    existing: { preset: %s, topic: "%s" }
                    destination: broker
                    relay: { ordering: none }
                """.formatted(
                                broker, database.jdbcUrl(), database.user(), database.password(), table.preset, topic))
                .toString();
    }

    /** Brokers as they are started by the tests. */
    private enum Broker {
        KAFKA(() -> "kafka://" + Servers.kafka().host() + ":" + Servers.kafka().port()),
        RABBITMQ(() -> Servers.rabbitmq().uri()),
        NATS(() -> Servers.nats().uri());

        @SuppressWarnings("ImmutableEnumChecker") // asks for a server that lives as long as the tests
        private final Supplier<String> uri;

        Broker(Supplier<String> uri) {
            this.uri = uri;
        }
    }

    /** Tables, and how their services write a row; all rows have one key, and times a second apart. */
    private enum Table {
        RECORDS("records", false) {
            @Override
            String row(int n) {
                return "INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload, created_at) VALUES (UNHEX(REPLACE('%s', '-', '')), 'order', 'k', 'T', '{}', NOW(6) - INTERVAL %d SECOND)"
                        .formatted(id(n), 1000 - n);
            }
        },
        ENUM_STATUS("enum-status", false) {
            @Override
            String row(int n) {
                return "INSERT INTO outbox (event_id, aggregate_type, aggregate_id, event_type, payload, created_at) VALUES ('%s', 'order', 'k', 'T', '{}', UTC_TIMESTAMP() - INTERVAL %d SECOND)"
                        .formatted(id(n), 1000 - n);
            }
        },
        PENDING_WAIT("pending-wait", false) {
            @Override
            String row(int n) {
                return "INSERT INTO outbox_pending (id, metadata, data, create_time) VALUES (UNHEX(REPLACE('%1$s', '-', '')), '{\"SpecVersion\": \"1.0\", \"Type\": \"a.T\", \"Source\": \"s\", \"Subject\": \"k\", \"ID\": \"%1$s\"}', '{}', UTC_TIMESTAMP(6))"
                        .formatted(id(n));
            }
        },
        OUTBOX_EVENTS("outbox-events", true) {
            @Override
            String row(int n) {
                return "INSERT INTO outbox_events (id, entity_id, message, created_at) VALUES ('%s', 'k', '{}', now() - interval '%d seconds')"
                        .formatted(id(n), 1000 - n);
            }
        },
        EVENT_OUTBOX("event-outbox", true) {
            @Override
            String row(int n) {
                return "INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload, created_at) VALUES ('%s', 'T', 'k', '{}', now() - interval '%d seconds')"
                        .formatted(id(n), 1000 - n);
            }
        };

        private final String preset;
        private final boolean isPostgres;

        Table(String preset, boolean isPostgres) {
            this.preset = preset;
            this.isPostgres = isPostgres;
        }

        abstract String row(int n);
    }
}
