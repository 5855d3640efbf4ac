package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.MessageId;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The code and the SQL of docs/guides/moving-from-….md. */
class MovingGuideIT {

    private static final Path GUIDES =
            Path.of("").toAbsolutePath().getParent().getParent().resolve("docs/guides");

    private final RecordingDestination destination = new RecordingDestination("broker");

    private static void saveOrder(Connection connection) throws SQLException {
        assertThat(connection.getAutoCommit()).isFalse();
    }

    @Test
    void writesRecords() throws SQLException {
        DataSource dataSource = Tables.empty(Server.MYSQL, Preset.RECORDS).dataSource();
        // snippet: records
        OutboxStore store =
                StatusOutboxStore.builder(dataSource, Preset.RECORDS.mapping()).build();
        Outbox outbox = Outbox.withDefaults(store);

        outbox.inTransaction(dataSource, tx -> {
            saveOrder(tx.connection());
            tx.enqueue(outbox.message("order")
                    .type("OrderPlaced")
                    .key("order-17")
                    .header("tenant", "blue")
                    .json("{\"total\": 42}")
                    .build());
        });
        // end
        delivers(store);
    }

    @Test
    void writesAnEnumStatus() throws SQLException {
        DataSource dataSource = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS).dataSource();
        // snippet: enum-status
        OutboxStore store = StatusOutboxStore.builder(dataSource, Preset.ENUM_STATUS.mapping())
                .build();
        Outbox outbox = Outbox.withDefaults(store);

        outbox.inTransaction(dataSource, tx -> {
            saveOrder(tx.connection());
            tx.enqueue(outbox.message("order")
                    .type("OrderPlaced")
                    .key("order-17")
                    .json("{\"total\": 42}")
                    .build());
        });
        // end
        delivers(store);
    }

    @Test
    void writesAnEventOutbox() throws SQLException {
        DataSource dataSource =
                Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX).dataSource();
        // snippet: event-outbox
        TableMapping mapping = Preset.EVENT_OUTBOX.mapping().toBuilder()
                .topic(MappedText.fixed("crawls"))
                .build();
        OutboxStore store = StatusOutboxStore.builder(dataSource, mapping).build();
        Outbox outbox = Outbox.withDefaults(store);

        outbox.inTransaction(dataSource, tx -> {
            saveOrder(tx.connection());
            tx.enqueue(outbox.message("crawls")
                    .type("CrawlFinished")
                    .key("crawl-17")
                    .correlationId("request-4")
                    .json("{\"pages\": 42}")
                    .build());
        });
        // end
        delivers(store);
    }

    @Test
    void writesOutboxEvents() throws SQLException {
        DataSource dataSource =
                Tables.empty(Server.POSTGRES, Preset.OUTBOX_EVENTS).dataSource();
        // snippet: outbox-events
        OutboxStore store = StatusOutboxStore.builder(dataSource, Preset.OUTBOX_EVENTS.mapping())
                .leader("orders-relay")
                .build();
        Outbox outbox = Outbox.withDefaults(store);

        outbox.inTransaction(dataSource, tx -> {
            saveOrder(tx.connection());
            tx.enqueue(outbox.message("outbox")
                    .id(MessageId.of("user-created-123"))
                    .type("outbox.event")
                    .key("user-123")
                    .json("{\"name\": \"Ann\"}")
                    .build());
        });
        // end
        Relay.builder(store, destination).build().drainOnce();
        assertThat(destination.delivered()).hasSize(1);
    }

    @Test
    void writesPendingRows() throws SQLException {
        DataSource dataSource = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT).dataSource();
        // snippet: pending-wait
        OutboxStore store = MoveOutboxStore.builder(dataSource)
                .completedTable("outbox_completed")
                .build();
        Outbox outbox = Outbox.withDefaults(store);

        outbox.inTransaction(dataSource, tx -> {
            saveOrder(tx.connection());
            tx.enqueue(outbox.message("example.books.v1")
                    .type("example.books.v1.BookCreated")
                    .header("ce_source", "protoevent-go")
                    .header("ce_subject", "book-17")
                    .contentType("application/proto")
                    .payload(new byte[] {10, 3, 57, 55, 56})
                    .build());
        });

        Relay relay = Relay.builder(store, destination)
                .maxAttempts(3)
                .backoff(Backoff.constant(Duration.ofSeconds(15)))
                .build();
        // end
        relay.drainOnce();
        assertThat(destination.delivered()).hasSize(1);
    }

    private void delivers(OutboxStore store) {
        Relay.builder(store, destination).ordering(Ordering.NONE).build().drainOnce();
        assertThat(destination.delivered()).hasSize(1);
    }

    /** One row waits, one was given up; both are counted, and the age of the first is told. */
    @ParameterizedTest
    @CsvSource({
        "MYSQL, RECORDS, velmie-outbox, watch, true",
        "MARIADB, RECORDS, velmie-outbox, watch, true",
        "MYSQL, ENUM_STATUS, overtonx-outbox, watch, true",
        "POSTGRES, EVENT_OUTBOX, riptide, watch, true",
        "POSTGRES, OUTBOX_EVENTS, go-outbox, watch, false",
        "MYSQL, PENDING_WAIT, protoevent-go, watch, true",
        "MYSQL, PENDING, protoevent-go, watch-pending, false"
    })
    void countsRowsAsTheSqlOfTheGuideSays(
            Server server, Preset preset, String guide, String block, boolean remembersDead) throws Exception {
        Tables tables = Tables.empty(server, preset);
        OutboxStore store = preset.findMapping().isEmpty()
                ? tables.leaderStore()
                : tables.store().build();
        if (remembersDead) {
            tables.insert(1);
            destination.answerNext(DeliveryResult.reject("never"));
            Relay.builder(store, destination).ordering(Ordering.NONE).build().drainOnce();
        }
        tables.insert(1);

        try (Connection connection = tables.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql(guide, block))) {
            assertThat(row.next()).isTrue();
            assertThat(row.getLong("undelivered")).isOne();
            assertThat(row.getDouble("oldest_seconds")).isBetween(-1.0, 60.0);
            if (remembersDead) {
                assertThat(row.getLong("given_up")).isOne();
            }
        }
    }

    private static String sql(String guide, String name) throws IOException {
        Matcher block = Pattern.compile("<!-- sql: " + name + " -->\\n```sql\\n((?s:.*?));\\n```")
                .matcher(Files.readString(GUIDES.resolve("moving-from-" + guide + ".md")));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }
}
