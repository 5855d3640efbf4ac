package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import dev.postrider.testkit.RecordingDestination;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table of one's own on each kind of server: what its ids, names, headers and times mean. */
class OwnTableIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MOST = Duration.ofHours(60);
    /** How long a test may take. */
    private static final int SLACK_SECONDS = 600;

    private final RecordingDestination broker = new RecordingDestination("broker");

    @ParameterizedTest
    @EnumSource(Server.class)
    void waitsExponentiallyOrLinearlyWithinTheSpreadAndTheLimit(Server server) {
        broker.answer(message -> DeliveryResult.retry("busy"));
        for (int failures = 1; failures <= 8; failures++) {
            assertSpread(delays(server, Backoff.exponential(HOUR, MOST), failures), 1 << (failures - 1), 0.25);
            assertSpread(delays(server, Backoff.linear(HOUR, MOST.dividedBy(10)), failures), failures, 0.2);
        }
    }

    /** How many seconds each of four rows waits after this failure. Five in a row would be an outage. */
    private List<Double> delays(Server server, Backoff backoff, int failures) {
        Tables tables = ownTable(server, "id INT PRIMARY KEY, attempts INT, due " + timeType(server));
        IntStream.range(0, 4)
                .forEach(id -> tables.execute("INSERT INTO own (id, attempts) VALUES (?, ?)", id, failures - 1));
        TableMapping mapping = own().column(Role.ATTEMPTS, "attempts")
                .column(Role.NEXT_ATTEMPT, "due")
                .build();

        drain(tables, mapping, backoff);

        String seconds =
                server == Server.POSTGRES ? "EXTRACT(EPOCH FROM due - now())" : "TIMESTAMPDIFF(SECOND, NOW(6), due)";
        return tables.column("SELECT %s FROM own WHERE attempts = %d".formatted(seconds, failures)).stream()
                .map(Double::valueOf)
                .toList();
    }

    private static void assertSpread(List<Double> delays, int plannedHours, double spread) {
        double most = spread == 0.25 ? MOST.toSeconds() : MOST.dividedBy(10).toSeconds();
        double planned = Math.min(plannedHours * (double) HOUR.toSeconds(), most);
        assertThat(delays)
                .hasSize(4)
                .allSatisfy(delay -> assertThat(delay)
                        .isBetween(planned * (1 - spread) - SLACK_SECONDS, Math.min(planned * (1 + spread), most)));
        if (planned * (1 + spread) <= most) {
            // Near the limit all of them may reach it.
            assertThat(delays.stream().distinct()).hasSizeGreaterThan(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void triesAgainAfterDelaysThatDoubleUpToTheirLimit(Server server) {
        Tables tables =
                ownTable(server, "id INT PRIMARY KEY, attempts INT, last_attempt %s".formatted(timeType(server)));
        int failures = 0;
        for (int hours : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            failures++;
            insertTried(tables, failures, failures, hours * 3600 - SLACK_SECONDS);
            insertTried(tables, 10 + failures, failures, hours * 3600 + SLACK_SECONDS);
        }
        TableMapping mapping = own().column(Role.ATTEMPTS, "attempts")
                .column(Role.LAST_ATTEMPT, "last_attempt")
                .retryDelay(HOUR, MOST)
                .build();

        drain(tables, mapping, Backoff.constant(HOUR));

        assertThat(tables.column("SELECT id FROM own ORDER BY id"))
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "8");
    }

    private static void insertTried(Tables tables, int id, int attempts, int secondsAgo) {
        String ago = tables.server == Server.POSTGRES
                ? "now() - ? * interval '1 second'"
                : "DATE_SUB(NOW(6), INTERVAL ? SECOND)";
        tables.execute(
                "INSERT INTO own (id, attempts, last_attempt) VALUES (?, ?, %s)".formatted(ago),
                id,
                attempts,
                secondsAgo);
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void takesTheIdOfARowInEveryFormForThatOfItsMessage(Server server) {
        MessageId id = MessageIdGenerator.uuidV7().next();
        Map<String, Object> forms = new LinkedHashMap<>();
        forms.put("CHAR(36)", id.toString());
        forms.put(server == Server.POSTGRES ? "BYTEA" : "BINARY(16)", id.toBytes());
        if (server == Server.POSTGRES) {
            forms.put("UUID", id.toUuid());
        }
        forms.forEach((type, value) -> {
            Tables tables = ownTable(server, "id %s PRIMARY KEY".formatted(type));
            tables.execute("INSERT INTO own (id) VALUES (?)", value);
            drain(tables, own().build(), Backoff.constant(HOUR));
        });

        assertThat(broker.delivered())
                .hasSize(forms.size())
                .extracting(OutboxMessage::id)
                .containsOnly(id);
    }

    /** Consumers compare texts: whatever the old relay sent must be sent now. */
    @ParameterizedTest
    @EnumSource(Server.class)
    void sendsAnIdOfTextAsItIs(Server server) {
        List<String> ids = List.of(
                "order-42", "0190A3F2-7C1E-7B3A-9F00-123456789ABC", "0190a3f27c1e7b3a9f00123456789abc", "größe\nübel");
        Tables tables = ownTable(server, "id VARCHAR(255) PRIMARY KEY");
        ids.forEach(id -> tables.execute("INSERT INTO own (id) VALUES (?)", id));

        drain(tables, own().build(), Backoff.constant(HOUR));

        assertThat(broker.delivered())
                .extracting(message -> message.id().text())
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    /** One row that has no id must not stop those around it. */
    @ParameterizedTest
    @EnumSource(Server.class)
    void givesUpARowWhoseIdIsTooLongAndDeliversTheOthers(Server server) {
        Tables tables = ownTable(server, "id INT PRIMARY KEY, event_id TEXT");
        tables.execute("INSERT INTO own (id, event_id) VALUES (1, ?)", "x".repeat(2_000));
        tables.execute("INSERT INTO own (id, event_id) VALUES (2, 'order-42')");
        tables.execute("INSERT INTO own (id, event_id) VALUES (3, '')");

        drain(tables, own().column(Role.MESSAGE_ID, "event_id").build(), Backoff.constant(HOUR));

        assertThat(broker.delivered())
                .extracting(message -> message.id().text())
                .satisfiesExactlyInAnyOrder(
                        id -> assertThat(id).isEqualTo("order-42"),
                        id -> assertThat(id).endsWith("own:3"));
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void givesARowWithoutUuidTheSameIdWhoeverReadsIt(Server server) {
        Tables tables = ownTable(server, "id INT PRIMARY KEY");
        tables.execute("INSERT INTO own (id) VALUES (7)");
        broker.answerNext(DeliveryResult.outage("cut"));

        drain(tables, own().build(), Backoff.constant(HOUR));
        drain(tables, own().build(), Backoff.constant(HOUR));

        assertThat(broker.sent())
                .hasSizeGreaterThan(1)
                .extracting(OutboxMessage::id)
                .containsOnly(broker.sent().get(0).id());
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void servesATableWithItsSchemaAndRefusesWhatIsNoName(Server server) {
        Tables tables = ownTable(server, "id INT PRIMARY KEY");
        tables.execute("INSERT INTO own (id) VALUES (1)");
        String schema = tables.value(server == Server.POSTGRES ? "SELECT current_schema()" : "SELECT DATABASE()");

        drain(tables, TableMapping.builder(schema + ".own").build(), Backoff.constant(HOUR));

        assertThat(broker.delivered()).hasSize(1);
        for (String wrong : List.of("", "own;drop", "own-1", schema + "..own", schema + ".own;")) {
            assertThatThrownBy(() -> TableMapping.builder(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void keepsEveryHeaderOfARow(Server server) {
        Tables tables =
                ownTable(server, "id INT PRIMARY KEY, headers " + (server == Server.POSTGRES ? "JSONB" : "JSON"));
        tables.execute(
                "INSERT INTO own (id, headers) VALUES (1, '%s')"
                        .formatted(
                                "{\"correlation_id\": \"c1\", \"causation_id\": \"c0\", \"tenant\": \"Zoë 😀\", \"big\": 9007199254740993}"));

        drain(tables, own().column(Role.HEADERS, "headers").build(), Backoff.constant(HOUR));

        assertThat(broker.delivered().get(0).headers()).satisfies(headers -> {
            assertThat(headers.correlationId()).contains("c1");
            assertThat(headers.causationId()).contains("c0");
            assertThat(headers.asMap()).containsEntry("tenant", "Zoë 😀").containsEntry("big", "9007199254740993");
        });
    }

    private static Tables ownTable(Server server, String columns) {
        Tables tables = Tables.empty(server, Preset.RELAY_LOCK);
        tables.execute("DROP TABLE IF EXISTS own");
        tables.execute("CREATE TABLE own (%s, type VARCHAR(20) DEFAULT 't', payload VARCHAR(20) DEFAULT 'p')"
                .formatted(columns));
        return tables;
    }

    private static String timeType(Server server) {
        return server == Server.POSTGRES ? "TIMESTAMPTZ" : "TIMESTAMP(6) NULL";
    }

    private static TableMapping.Builder own() {
        return TableMapping.builder("own");
    }

    private void drain(Tables tables, TableMapping mapping, Backoff backoff) {
        try (Relay relay = Relay.builder(
                        Tables.builder(tables.dataSource(), mapping).build(), broker)
                .ordering(Ordering.NONE)
                .backoff(backoff)
                .build()) {
            relay.drainOnce();
        }
    }
}
