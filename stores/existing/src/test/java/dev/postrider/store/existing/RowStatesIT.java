package dev.postrider.store.existing;

import static dev.postrider.spi.DeadReason.ATTEMPTS_EXHAUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.StoreException;
import dev.postrider.testkit.RecordingDestination;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a table says of its rows after each outcome, as those who know the table from elsewhere expect it. */
class RowStatesIT {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final RecordingDestination broker = new RecordingDestination("broker");

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void countsAttemptsAndMarksARowDeadAfterTheLastWithAnErrorOf1024Characters(Server server) {
        Tables tables = records(server);
        tables.insert(1);
        broker.answer(message -> DeliveryResult.retry("e".repeat(1100)));

        relayUntil(store(tables), 2, () -> broker.awaitSent(2, LONG));

        assertThat(tables.column("SELECT CONCAT_WS('/', status, attempt_count, CHAR_LENGTH(last_error),"
                        + " COALESCE(processed_at, 'NULL')) FROM outbox"))
                .containsExactly("-1/2/1024/NULL");
        assertThat(store(tables).stats().undelivered()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void countsRowsByTheStatusesOfTheTable(Server server) {
        Tables tables = Tables.empty(server, Preset.ENUM_STATUS);
        tables.insert(6);
        tables.execute("UPDATE outbox SET status = 'sent' ORDER BY id LIMIT 3");
        tables.execute("UPDATE outbox SET status = 'failed' WHERE status = 'pending' ORDER BY id LIMIT 1");

        assertThat(store(tables).countsByStatus())
                .containsExactly(
                        entry("pending", new RowCount(2, true)),
                        entry("sending", new RowCount(0, true)),
                        entry("failed", new RowCount(1, true)),
                        entry("sent", new RowCount(3, true)));
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void recordsTheSuccessesOfABatchAndCountsAnAttemptOfItsFailure(Server server) {
        Tables tables = records(server);
        tables.insert(3);
        broker.answer(message ->
                message.key().equals(Optional.of("key-1")) ? DeliveryResult.retry("busy") : DeliveryResult.DELIVERED);
        TableMapping patient = tables.preset.mapping().toBuilder()
                .retryDelay(Duration.ofHours(1), Duration.ofHours(1))
                .build();

        drain(Tables.builder(tables.dataSource(), patient).build());

        assertThat(tables.column("SELECT CONCAT_WS('/', status, attempt_count, processed_at IS NOT NULL) FROM outbox"
                        + " ORDER BY id"))
                .containsExactly("1/0/1", "0/1/0", "1/0/1");
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void clearsTheErrorKeepsTheAttemptsAndSetsTheTimeWhenARetryIsDelivered(Server server) {
        Tables tables = records(server);
        tables.insert(1);
        broker.answerNext(DeliveryResult.retry("busy"));

        relayUntil(store(tables), 5, () -> broker.awaitDelivered(1, LONG));

        assertThat(tables.column("SELECT CONCAT_WS('/', status, attempt_count, COALESCE(last_error, 'NULL'),"
                        + " processed_at IS NOT NULL) FROM outbox"))
                .containsExactly("1/1/NULL/1");
    }

    @Test
    void marksARejectedRowDeadAtTheFirstAttempt() {
        Tables tables = records(Server.MYSQL);
        tables.insert(1);
        broker.answer(message -> DeliveryResult.reject("never"));

        drain(store(tables));

        assertThat(tables.column("SELECT CONCAT_WS('/', status, attempt_count) FROM outbox"))
                .containsExactly("-1/1");
    }

    @Test
    void leavesRowsPendingWithoutAttemptsWhileTheBrokerIsUnreachable() {
        Tables tables = records(Server.MYSQL);
        tables.insert(3);
        broker.answer(message -> DeliveryResult.outage("cut"));
        broker.setHealth(Health.down("cut"));

        drain(store(tables));

        assertThat(tables.column("SELECT DISTINCT CONCAT_WS('/', status, attempt_count) FROM outbox"))
                .containsExactly("0/0");
        assertThat(store(tables).stats().undelivered()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void cleansUpOldProcessedAndDeadRowsInBatchesAndNeverPendingOnes(Server server) {
        Tables tables = records(server);
        tables.insert(6);
        List<String> ids = tables.column("SELECT HEX(id) FROM outbox ORDER BY id");
        for (int n = 0; n < 3; n++) {
            tables.execute(
                    "UPDATE outbox SET status = 1, processed_at = NOW(6) - INTERVAL 2 DAY WHERE id = UNHEX(?)",
                    ids.get(n));
        }
        tables.execute("UPDATE outbox SET status = 1, processed_at = NOW(6) WHERE id = UNHEX(?)", ids.get(3));
        tables.execute(
                "UPDATE outbox SET status = -1, updated_at = NOW(6) - INTERVAL 2 DAY WHERE id = UNHEX(?)", ids.get(4));
        tables.execute(
                "UPDATE outbox SET created_at = NOW(6) - INTERVAL 9 DAY, updated_at = NOW(6) - INTERVAL 9 DAY WHERE id"
                        + " = UNHEX(?)",
                ids.get(5));
        var maintenance = store(tables).maintenance();

        assertThat(maintenance.deleteSent(Duration.ofDays(1), 1)).isEqualTo(1);
        assertThat(maintenance.deleteSent(Duration.ofDays(1), 100)).isEqualTo(2);
        assertThat(maintenance.deleteSent(Duration.ofDays(1), 100)).isZero();
        assertThat(maintenance.deleteDeadLetters(Duration.ofDays(1), 100)).isEqualTo(1);

        assertThat(tables.column("SELECT HEX(id) FROM outbox ORDER BY id")).containsExactly(ids.get(3), ids.get(5));
    }

    @ParameterizedTest
    @CsvSource({
        "MYSQL, RECORDS, updated_at",
        "MYSQL, ENUM_STATUS, next_attempt_at",
        "MARIADB, ENUM_STATUS, next_attempt_at",
        "POSTGRES, EVENT_OUTBOX, last_retry_at"
    })
    void keepsADeadRowForItsRetentionSinceItWasGivenUpHoweverOldItIs(Server server, Preset preset, String diedAt) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(1);
        tables.execute("UPDATE %s SET created_at = created_at - INTERVAL '9' DAY".formatted(tables.table()));
        broker.answer(message -> DeliveryResult.reject("never"));
        OutboxStore store = tables.store().build();
        drain(store);

        assertThat(store.maintenance().deleteDeadLetters(Duration.ofHours(1), 100))
                .isZero();
        assertThat(store.stats().dead()).isOne();

        tables.execute("UPDATE %s SET %s = %s - INTERVAL '2' HOUR".formatted(tables.table(), diedAt, diedAt));
        assertThat(store.maintenance().deleteDeadLetters(Duration.ofHours(1), 100))
                .isOne();
    }

    @Test
    void deletesNoDeadRowOfATableThatDoesNotTellWhenItWasGivenUp() {
        Tables tables = records(Server.MYSQL);
        tables.insert(1);
        tables.execute("UPDATE outbox SET status = -1, created_at = NOW(6) - INTERVAL 9 DAY");
        TableMapping timeless =
                tables.preset.mapping().toBuilder().without(Role.LAST_ATTEMPT).build();
        OutboxStore store =
                StatusOutboxStore.builder(tables.dataSource(), timeless).build();

        assertThatThrownBy(() -> store.maintenance().deleteDeadLetters(Duration.ofHours(1), 100))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("when a row was given up", "'last-attempt'", "dead discard");
        assertThat(store.stats().dead()).isOne();
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void tellsHowLargeABacklogIsAlsoBeyondWhatItCounts(Server server) {
        Tables tables = Tables.empty(server, server == Server.POSTGRES ? Preset.EVENT_OUTBOX : Preset.RECORDS);
        tables.execute(
                server == Server.POSTGRES
                        ? "INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload, published_at) SELECT 'e' || n, 'T', 'k', '{}', CASE WHEN n <= 3 THEN now() END FROM generate_series(1, 150003) n"
                        : "INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload, status) WITH digit AS (SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)"
                                + " SELECT UNHEX(CONCAT('0190000000007000800000', LPAD(HEX(a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d + 100000 * g.d), 10, '0'))), 'a', 'k', 'T', '{}', IF(a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d + 100000 * g.d < 3, 1, 0)"
                                + " FROM digit a, digit b, digit c, digit e, digit f, digit g WHERE 10000 * f.d + 100000 * g.d < 150000");
        if (server == Server.POSTGRES) {
            tables.execute("ANALYZE event_outbox");
        } else {
            tables.column("ANALYZE TABLE outbox");
        }
        OutboxStore store = tables.store().build();

        assertThat(store.stats().undelivered()).isBetween(100_000L, 400_000L);
        assertThat(store.stats().undeliveredIsExact()).isFalse();
        // No index of that table tells what was delivered.
        assertThat(store.stats().kept().isExact()).isEqualTo(server != Server.POSTGRES);
        assertThat(store.stats().kept().rows()).isLessThan(1_000);

        tables.execute("DELETE FROM %s WHERE %s"
                .formatted(
                        tables.table(),
                        server == Server.POSTGRES
                                ? "published_at IS NULL AND length(event_id) > 5"
                                : "status = 0 AND id >= UNHEX('01900000000070008000000000007000')"));
        assertThat(store.stats().kept()).isEqualTo(new RowCount(3, true));
        assertThat(store.stats().undeliveredIsExact()).isTrue();
        assertThat(store.stats().undelivered())
                .isEqualTo(tables.count(server == Server.POSTGRES ? "published_at IS NULL" : "status = 0"));
    }

    /** More rows than are looked at for a retry; where their number is not known exactly, that of the others is not either. */
    @ParameterizedTest
    @CsvSource({"MYSQL, ENUM_STATUS", "MARIADB, ENUM_STATUS", "POSTGRES, EVENT_OUTBOX"})
    void doesNotCountRowsThatWereGivenUpInPlaceAsBacklog(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(2);
        givenUp(tables, 10_001);
        OutboxStore store = tables.store().build();

        assertThat(store.stats()).satisfies(stats -> {
            assertThat(new RowCount(stats.undelivered(), stats.undeliveredIsExact()))
                    .isEqualTo(new RowCount(2, true));
            assertThat(stats.dead()).isEqualTo(10_001);
        });
        assertThat(store.deadLetters().countByReason(20_000)).containsExactly(entry(ATTEMPTS_EXHAUSTED, 10_001L));
        assertThat(store.deadLetters().countByReason(10_000)).containsExactly(entry(ATTEMPTS_EXHAUSTED, 10_000L));

        givenUp(tables, 100_001);
        assertThat(store.stats().undeliveredIsExact()).isFalse();
    }

    private static void givenUp(Tables tables, int rows) {
        if (tables.server == Server.POSTGRES) {
            tables.execute(
                    "INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload, retry_count) SELECT gen_random_uuid(), 'T', 'k', '{}', 5 FROM generate_series(1, %d) n"
                            .formatted(rows));
        } else {
            tables.execute("INSERT INTO outbox (event_id, aggregate_type, aggregate_id, event_type, payload, status,"
                    + " attempts) WITH digit AS (SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION"
                    + " SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)"
                    + " SELECT UUID(), 'a', 'k', 'T', '{}', 'failed', 5 FROM digit a, digit b, digit c, digit e,"
                    + " digit f, digit g LIMIT "
                    + rows);
        }
    }

    @Test
    void givesARowWhoseTimeLiesAheadNoAgeAndNamesTheTimeZone() throws Exception {
        Tables tables = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS);
        tables.insert(1);
        tables.execute("UPDATE outbox SET created_at = UTC_TIMESTAMP() + INTERVAL 2 HOUR");
        OutboxStore store = tables.store().build();

        assertThat(store.stats().oldestAge()).isZero();
        assertThat(store.checks().get(0).run())
                .singleElement()
                .satisfies(finding -> assertThat(finding.what() + finding.meaning() + finding.fix())
                        .contains("in the future", "time zone", "local-time-is-utc"));
        drain(store);
        assertThat(broker.delivered()).hasSize(1);

        tables.execute("UPDATE outbox SET status = 'pending', created_at = UTC_TIMESTAMP()");
        assertThat(store.checks().get(0).run()).isEmpty();
    }

    @Test
    void movesOldDeliveredRowsToTheArchive() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.execute("CREATE TABLE IF NOT EXISTS archive (LIKE event_outbox INCLUDING ALL)");
        tables.insert(3);
        drain(tables.store().build());
        tables.execute(
                "UPDATE event_outbox SET published_at = now() - interval '40 days' WHERE aggregate_id <> 'key-0'");

        assertThat(tables.store().archiveTable("archive").build().maintenance().deleteSent(Duration.ofDays(30), 100))
                .isEqualTo(2);

        assertThat(tables.value("SELECT count(*) FROM archive")).isEqualTo("2");
        assertThat(tables.count("1 = 1")).isEqualTo(1);
    }

    /** As many moves as there are, into tables whose numbers PostgreSQL would rather make itself. */
    @Test
    void keepsTheNumbersOfRowsThatMoveBetweenTablesOfPostgresThatMakeTheirOwn() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.RELAY_LOCK);
        tables.execute("DROP TABLE IF EXISTS numbered, graves, numbered_archive");
        tables.execute(
                "CREATE TABLE numbered (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, type TEXT, payload TEXT,"
                        + " done TIMESTAMPTZ)");
        tables.execute("CREATE TABLE graves (LIKE numbered INCLUDING ALL)");
        tables.execute("CREATE TABLE numbered_archive (LIKE numbered INCLUDING ALL)");
        tables.execute("INSERT INTO numbered (type, payload) VALUES ('t', '1'), ('t', '2')");
        OutboxStore store = Tables.builder(
                        tables.dataSource(),
                        TableMapping.builder("numbered")
                                .column(Role.DELIVERED, "done")
                                .deadTable("graves")
                                .build())
                .archiveTable("numbered_archive")
                .build();
        broker.answerNext(DeliveryResult.reject("never"));
        broker.answerNext(DeliveryResult.reject("never"));

        drain(store);
        assertThat(tables.column("SELECT id FROM graves ORDER BY id")).containsExactly("1", "2");
        assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "op"))
                .isEqualTo(2);
        drain(store);
        assertThat(broker.delivered()).hasSize(2);
        tables.execute("UPDATE numbered SET done = now() - interval '1 day'");
        assertThat(store.maintenance().deleteSent(Duration.ofHours(1), 10)).isEqualTo(2);
        assertThat(tables.column("SELECT id FROM numbered_archive ORDER BY id")).containsExactly("1", "2");
    }

    @Test
    void triesAsOftenAsThePresetCountsUnlessToldOtherwise() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        OutboxStore store = tables.store().build();

        assertThat(store.maxSupportedAttempts()).isEqualTo(5);
        assertThatThrownBy(() -> Relay.builder(store, broker)
                        .ordering(Ordering.NONE)
                        .maxAttempts(8)
                        .build())
                .hasMessageContaining("event_outbox counts a message as given up after 5");
    }

    @Test
    void publishesInTheOrderOfCreationAndMarksThePublishedTime() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        List<String> ids = tables.insert(2);

        drain(tables.store().lanes(1).build());

        assertThat(CompetingRelaysIT.idsOf(broker.delivered())).isEqualTo(ids);
        assertThat(tables.count("published_at IS NOT NULL")).isEqualTo(2);
    }

    @Test
    void mapsARowToAMessageWithItsMetadata() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.insert("order-7", "{\"big\": 9007199254740993}");

        drain(tables.store().build());

        OutboxMessage message = broker.delivered().get(0);
        assertThat(message.type()).isEqualTo("OrderPlaced");
        assertThat(message.key()).contains("order-7");
        assertThat(message.headers().correlationId()).contains("c1");
        assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo("{\"big\": 9007199254740993}");
    }

    @Test
    void countsFailuresKeepsTheErrorAndDeliversTheRowOnceInTheEnd() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.insert(1);
        broker.answerNext(DeliveryResult.retry("bus is busy"), DeliveryResult.retry("bus is down"));

        relayUntil(store(tables), 5, () -> broker.awaitDelivered(1, LONG));
        drain(store(tables));

        assertThat(broker.sent()).hasSize(3);
        assertThat(broker.delivered()).hasSize(1);
        assertThat(tables.count("published_at IS NOT NULL AND retry_count = 2 AND last_error = 'bus is down'"))
                .isOne();
    }

    @Test
    void leavesAnExhaustedRowUnpublishedWithItsCountAndError() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.insert(1);
        broker.answer(message -> DeliveryResult.retry("bus is down"));
        TableMapping mapping = tables.preset.mapping().toBuilder()
                .deadAtAttempts(2)
                .retryDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .build();

        relayUntil(Tables.builder(tables.dataSource(), mapping).build(), 2, () -> broker.awaitSent(2, LONG));
        drain(Tables.builder(tables.dataSource(), mapping).build());

        assertThat(broker.sent()).hasSize(2);
        assertThat(tables.count("published_at IS NULL AND retry_count = 2 AND last_error = 'bus is down'"))
                .isEqualTo(1);
    }

    @Test
    void waitsBetweenAttemptsByItsMultiplier() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.insert(1);
        tables.execute("UPDATE event_outbox SET retry_count = 4, last_retry_at = NOW() - INTERVAL '2 hours'");
        TableMapping.Builder mapping =
                tables.preset.mapping().toBuilder().retryDelay(Duration.ofHours(1), Duration.ofDays(1));

        // One hour, then two, four and eight: not due before six hours from now.
        drain(StatusOutboxStore.builder(tables.dataSource(), mapping.build()).build());
        assertThat(broker.sent()).isEmpty();
        // One hour, then 1.2, 1.44 and 1.728: due.
        drain(StatusOutboxStore.builder(
                        tables.dataSource(), mapping.retryMultiplier(1.2).build())
                .build());
        assertThat(broker.delivered()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void endsAFailingRowAsFailedWithAllItsAttemptsAndTriesItNoMore(Server server) {
        Tables tables = Tables.empty(server, Preset.ENUM_STATUS);
        tables.insert(1);
        broker.answer(message -> DeliveryResult.retry("busy"));

        relayUntil(tables.store().build(), 5, () -> broker.awaitSent(5, LONG));
        drain(tables.store().build());

        assertThat(broker.sent()).hasSize(5);
        assertThat(tables.column("SELECT CONCAT_WS('/', status, attempts, last_error) FROM outbox"))
                .containsExactly("failed/5/busy");
    }

    private static Tables records(Server server) {
        return Tables.empty(server, Preset.RECORDS);
    }

    private static OutboxStore store(Tables tables) {
        TableMapping quick = tables.preset.mapping().toBuilder()
                .retryDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .build();
        return Tables.builder(tables.dataSource(), quick).build();
    }

    private void relayUntil(OutboxStore store, int maxAttempts, Runnable condition) {
        try (Relay relay = Relay.builder(store, broker)
                .ordering(Ordering.NONE)
                .backoff(Backoff.constant(Duration.ofMillis(10)))
                .maxAttempts(maxAttempts)
                .build()) {
            relay.start();
            condition.run();
        }
    }

    private void drain(OutboxStore store) {
        Relay.builder(store, broker).ordering(Ordering.NONE).build().drainOnce();
    }
}
