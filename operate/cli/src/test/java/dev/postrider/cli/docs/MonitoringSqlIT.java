package dev.postrider.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.OutboxStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The statements of docs/guides/monitoring.md, run as they stand there, show what is the case. */
@Timeout(60)
class MonitoringSqlIT {

    /** In seconds; the others are younger. */
    private static final double HELD_FOR = 3600;

    private static final Guide GUIDE = Guide.read("monitoring.md");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "TIDB", "H2"})
    void showsWhatIsTheCase(DatabaseKind kind) throws SQLException {
        GuideDatabase.skipWithoutTidb(kind);
        try (GuideDatabase database = GuideDatabase.create(kind)) {
            database.createTables(new StoreSettings());
            OutboxStore store = database.open(database.dataSource(), new StoreSettings());
            arrange(kind, database, store);

            assertThat(query(database, "backlog")).singleElement().satisfies(row -> {
                assertThat(row.values().stream().map(MonitoringSqlIT::whole))
                        .startsWith("4")
                        .endsWith("2", "1", "1");
                assertThat(Double.parseDouble(row.get("oldest_seconds"))).isBetween(HELD_FOR, HELD_FOR + 60);
            });
            assertThat(query(database, "lanes"))
                    .extracting(row -> row.get("relay") + "=" + row.get("lanes"))
                    .containsExactlyInAnyOrder("relay-1=1", "nobody=15");
            assertThat(query(database, "held"))
                    .singleElement()
                    .satisfies(row -> assertThat(row)
                            .containsEntry("message_key", "flaky")
                            .containsEntry("attempts", "1")
                            .containsEntry("last_error", "not now"));
            assertThat(query(database, "dead"))
                    .singleElement()
                    .satisfies(row -> assertThat(row)
                            .containsEntry("reason", "REJECTED")
                            .containsEntry("letters", "1")
                            .containsEntry("example", "never"));
            assertThat(query(database, "pauses"))
                    .singleElement()
                    .satisfies(row -> assertThat(row)
                            .containsEntry("destination", "moody")
                            .containsEntry("set_by", "alice"));
            assertThat(query(database, "operations"))
                    .extracting(row -> row.get("operator"))
                    .contains("alice");
            runRest(database);
        }
    }

    private static String whole(String number) {
        return number.replaceFirst("\\..*", "");
    }

    /** Two undelivered, two held of one key, one dead letter, one delayed; a lane with an owner; a pause. */
    private static void arrange(DatabaseKind kind, GuideDatabase database, OutboxStore store) throws SQLException {
        Outbox outbox = Outbox.withDefaults(store);
        outbox.inTransaction(database.dataSource(), tx -> {
            tx.enqueue(message("flaky"), message("flaky"), message("bad"));
            tx.enqueue(OutboxMessage.builder("orders")
                    .key("later")
                    .type("t")
                    .deliverAfter(Duration.ofHours(1))
                    .build());
        });
        Relay.builder(store, new Moody())
                .backoff(Backoff.constant(Duration.ofHours(1)))
                .build()
                .drainOnce();
        makeHeldOlder(kind, database);
        outbox.inTransaction(database.dataSource(), tx -> tx.enqueue(message("new"), message("newer")));
        LaneLeases leases = store.leases();
        assertThat(leases.take(0, "relay-1", Duration.ofMinutes(5))).isPresent();
        store.pauses().pause("moody", "alice");
    }

    private static void makeHeldOlder(DatabaseKind kind, GuideDatabase database) throws SQLException {
        String table = kind == DatabaseKind.H2 ? "\"outbox_held\"" : "outbox_held";
        String hour = kind == DatabaseKind.POSTGRES ? "INTERVAL '1 hour'" : "INTERVAL '1' HOUR";
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE " + table + " SET created_at = created_at - " + hour);
        }
    }

    private static OutboxMessage message(String key) {
        return OutboxMessage.builder("orders").key(key).type("t").build();
    }

    /** Those whose answer depends on what else the server does. */
    private static void runRest(GuideDatabase database) throws SQLException {
        for (String name : GUIDE.names()) {
            String block = database.block(GUIDE, name.substring(name.indexOf('-') + 1));
            if (GUIDE.names().contains(block)) {
                run(database, GUIDE.statement(block));
            }
        }
    }

    private static List<Map<String, String>> query(GuideDatabase database, String what) throws SQLException {
        return run(database, GUIDE.statement(database.block(GUIDE, what)));
    }

    private static List<Map<String, String>> run(GuideDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<Map<String, String>> found = new ArrayList<>();
            while (rows.next()) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.put(
                            rows.getMetaData().getColumnLabel(i).toLowerCase(Locale.ROOT),
                            String.valueOf(rows.getObject(i)));
                }
                found.add(row);
            }
            return found;
        }
    }

    /** Delivers nothing: rejects one key, and asks all others to come again. */
    private record Moody() implements Destination {

        @Override
        public String name() {
            return "moody";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            return CompletableFuture.completedFuture(
                    message.key().orElse("").equals("bad")
                            ? DeliveryResult.reject("never")
                            : DeliveryResult.retry("not now"));
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
