package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.prove.broker.ProofBroker;
import dev.postrider.service.RelayService;
import dev.postrider.service.ServiceConfig;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

    private final Shell shell = new Shell();
    private final List<OldOutbox> outboxes = new ArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void removeOutboxes() {
        outboxes.forEach(OldOutbox::remove);
    }

    static Stream<Arguments> everyTableAtEveryBroker() {
        return Stream.of(Broker.values())
                .flatMap(broker -> Stream.of(Table.values()).map(table -> Arguments.of(table, broker)));
    }

    @ParameterizedTest
    @MethodSource("everyTableAtEveryBroker")
    void deliversTwentyRowsOfAKeyInTheirOrder(Table table, Broker broker) throws IOException {
        OldOutbox outbox = open(table, broker);
        outbox.write(1);

        assertThat(shell.run("relay", "--once", "--config", config()))
                .as(shell.err())
                .isZero();

        assertThat(outbox.arrivals()).isEqualTo(ids(1, ROWS));
    }

    /** Through destinations that stay open: Kafka's looks up a topic again that was not used for long. */
    @Test
    void deliversTwentyMoreInTheirOrderAfterATimeWithoutUse() throws IOException {
        open(Table.RECORDS, Broker.KAFKA);
        open(Table.EVENT_OUTBOX, Broker.RABBITMQ);
        open(Table.PENDING, Broker.NATS);
        outboxes.forEach(outbox -> outbox.write(1));
        ServiceConfig config = ServiceConfig.load(Path.of(config()), Map.of());
        try (RelayService relays = RelayService.of(config)) {
            relays.drainOnce();
            LockSupport.parkNanos(Broker.UNUSED.toNanos());
            outboxes.forEach(outbox -> outbox.write(ROWS + 1));
            relays.drainOnce();
        }

        assertThat(outboxes).allSatisfy(outbox -> assertThat(outbox.arrivals()).isEqualTo(ids(1, 2 * ROWS)));
    }

    private OldOutbox open(Table table, Broker broker) {
        OldOutbox outbox = new OldOutbox(table, broker);
        outboxes.add(outbox);
        shell.run("schema", "print", "--dialect", table.dialect(), "--preset", table.preset());
        outbox.create(shell.out());
        return outbox;
    }

    private static List<String> ids(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(ExistingOrderIT::id)
                .toList();
    }

    /** A UUIDv7, as the table demands that is in order of its ids. */
    private static String id(int n) {
        return "01900000-0000-7000-8000-%012d".formatted(n);
    }

    private String config() throws IOException {
        return Files.writeString(directory.resolve("postrider.yaml"), """
                destinations:
                %s
                outboxes:
                %s
                """.formatted(
                                lines(OldOutbox::destination), lines(OldOutbox::section)))
                .toString();
    }

    private String lines(Function<OldOutbox, String> line) {
        return outboxes.stream().map(line).collect(Collectors.joining("\n")).indent(2);
    }

    /** A database of its own with the table, and a place of its own at the broker; each is called by the same name. */
    private static final class OldOutbox {

        private final String name = "order_" + UUID.randomUUID().toString().substring(0, 8);
        private final Table table;
        private final Broker broker;
        private final Database database;
        private final ProofBroker place;

        OldOutbox(Table table, Broker broker) {
            this.table = table;
            this.broker = broker;
            this.database = table.createDatabase();
            this.place = ProofBroker.at(broker.uri.get(), name);
        }

        void create(String ddl) {
            place.prepare();
            Stream.of(ddl.split(";\\s*\\n")).filter(sql -> !sql.isBlank()).forEach(sql -> Sql.execute(database, sql));
        }

        /** Twenty rows in one statement, so that one look of the relay finds them all. */
        void write(int first) {
            Sql.execute(
                    database,
                    IntStream.range(first, first + ROWS)
                            .mapToObj(n -> table.row.formatted(id(n), 1000 - n))
                            .collect(Collectors.joining(", ", "INSERT INTO " + table.columns + " VALUES ", "")));
        }

        /** A second delivery is left out: a machine that stands still for longer than a lease may cause one. */
        List<String> arrivals() {
            return place.readAll().stream()
                    .map(arrival -> arrival.id().replace("foreign:", ""))
                    .distinct()
                    .toList();
        }

        String destination() {
            return place.configuration(broker.uri.get()).entrySet().stream()
                    .map(entry -> "%s: \"%s\"".formatted(entry.getKey(), entry.getValue()))
                    .collect(Collectors.joining(", ", name + ": { ", broker.more + " }"));
        }

        String section() {
            return """
                    %1$s:
                      database: { url: "%2$s", user: "%3$s", password: "%4$s" }
                      existing: { preset: %5$s, topic: "%1$s" }
                      destination: %1$s
                      relay: { ordering: none }
                    """.formatted(name, database.jdbcUrl(), database.user(), database.password(), table.preset());
        }

        void remove() {
            place.remove();
            database.close();
        }
    }

    /** Brokers as they are started by the tests. */
    private enum Broker {
        // The shortest time that Kafka allows; a topic is looked up again after a fifth of it.
        KAFKA(
                () -> "kafka://" + Servers.kafka().host() + ":"
                        + Servers.kafka().port(),
                ", properties: { metadata.max.idle.ms: 5000 }"),
        RABBITMQ(() -> Servers.rabbitmq().uri(), ""),
        NATS(() -> Servers.nats().uri(), "");

        private static final Duration UNUSED = Duration.ofMillis(1_100);

        @SuppressWarnings("ImmutableEnumChecker") // asks for a server that lives as long as the tests
        private final Supplier<String> uri;

        private final String more;

        Broker(Supplier<String> uri, String more) {
            this.uri = uri;
            this.more = more;
        }
    }

    /** Tables, and how their services write a row; all rows have one key, and times a second apart. */
    private enum Table {
        RECORDS(Table.OF_RECORDS, Table.RECORD),
        RECORDS_BINARY(Table.OF_RECORDS, Table.RECORD),
        RECORDS_PARTITIONED(Table.OF_RECORDS, Table.RECORD),
        RECORDS_BINARY_PARTITIONED(Table.OF_RECORDS, Table.RECORD),
        ENUM_STATUS(
                "outbox (event_id, aggregate_type, aggregate_id, event_type, payload, created_at)",
                "('%s', 'order', 'k', 'T', '{}', UTC_TIMESTAMP() - INTERVAL %d SECOND)"),
        PENDING_WAIT(Table.OF_PENDING, Table.EVENT),
        PENDING(Table.OF_PENDING, Table.EVENT),
        OUTBOX_EVENTS(
                "outbox_events (id, entity_id, message, created_at)",
                "('%s', 'k', '{}', now() - interval '%d seconds')"),
        EVENT_OUTBOX(
                "event_outbox (event_id, event_type, aggregate_id, payload, created_at)",
                "('%s', 'T', 'k', '{}', now() - interval '%d seconds')");

        private static final String OF_RECORDS =
                "outbox (id, aggregate_type, aggregate_id, event_type, payload, created_at)";
        private static final String RECORD =
                "(UNHEX(REPLACE('%s', '-', '')), 'order', 'k', 'T', '{}', NOW(6) - INTERVAL %d SECOND)";
        private static final String OF_PENDING = "outbox_pending (id, metadata, data, create_time)";
        private static final String EVENT =
                "(UNHEX(REPLACE('%1$s', '-', '')), '{\"SpecVersion\": \"1.0\", \"Type\": \"a.T\", \"Source\": \"s\", \"Subject\": \"k\", \"ID\": \"%1$s\"}', '{}', UTC_TIMESTAMP(6) - INTERVAL %2$d SECOND)";

        private final String columns;
        private final String row;

        Table(String columns, String row) {
            this.columns = columns;
            this.row = row;
        }

        String preset() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        String dialect() {
            return isPostgres() ? "postgres" : "mysql";
        }

        Database createDatabase() {
            return (isPostgres() ? Servers.postgres() : Servers.mysql()).createDatabase("ordered");
        }

        private boolean isPostgres() {
            return this == OUTBOX_EVENTS || this == EVENT_OUTBOX;
        }
    }
}
