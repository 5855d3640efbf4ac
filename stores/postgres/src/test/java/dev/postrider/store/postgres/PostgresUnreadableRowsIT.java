package dev.postrider.store.postgres;

import static dev.postrider.testkit.UnreadableRows.letters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadLetters.RawContent;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.UnreadableRows;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Rows with values that a driver or the server refuses to compute with: they stop no other row, and are lost to nobody. */
class PostgresUnreadableRowsIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();

    private final RecordingDestination destination = new RecordingDestination("recording");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "_delayed | due_at | 'infinity' | due_at is infinity, allowed are the years 1 to 9999",
                "_delayed | due_at | '-infinity' | due_at is -infinity, allowed are the years 1 to 9999",
                "_delayed | due_at, created_at | now(), 'infinity' | created_at is infinity, allowed are the years 1 to 9999",
                "\"\" | created_at | 'infinity' | created_at is infinity, allowed are the years 1 to 9999; leave it out",
                "\"\" | created_at | '294276-01-01' | created_at is 294276-01-01",
                "\"\" | seq | -1 | seq is -1, allowed are 1 to 9223372036854775806; leave it out",
                "\"\" | seq | 9223372036854775807 | seq is 9223372036854775807, allowed are 1 to 9223372036854775806"
            })
    void refusesTimesAndNumbersThatNoRelayCouldUse(String table, String columns, String values, String refusal) {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
        String insert = """
                INSERT INTO {outbox}%s (%s, id, topic, type, payload) OVERRIDING SYSTEM VALUE
                VALUES (%s, gen_random_uuid(), 't', 'T', '')""".formatted(table, columns, values);
        for (String role : List.of("origin", "replica")) {
            assertThatThrownBy(() -> outbox.execute("SET LOCAL session_replication_role = " + role + "; " + insert))
                    .hasMessageContaining(refusal)
                    .satisfies(error ->
                            assertThat(((SQLException) error).getSQLState()).isEqualTo("23514"));
        }
    }

    @Test
    void deliversDelayedMessagesBesideOneThatIsNeverDue() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
        insertDelayed(outbox, "never", "'infinity'");
        insertDelayed(outbox, "at once", "'-infinity'");
        insertDelayed(outbox, "soon", "now() + interval '1 second'");
        try (Relay relay = Relay.withDefaults(outbox.store(), destination)) {
            relay.start();
            destination.awaitDelivered(2, SOON);
        }

        assertThat(keys()).containsExactly("at once", "soon");
        assertThat(outbox.store().stats().delayed()).isOne();
    }

    private static void insertDelayed(TestOutbox outbox, String key, String due) throws SQLException {
        pastTheTrigger(outbox, "_delayed", """
                INSERT INTO {outbox}_delayed (id, due_at, topic, message_key, type, payload)
                VALUES (gen_random_uuid(), %s, 't', '%s', 'T', '')""".formatted(due, key));
    }

    /** As rows that were there before the trigger, or came while it was switched off. */
    private static void pastTheTrigger(TestOutbox outbox, String table, String insert) throws SQLException {
        outbox.execute("ALTER TABLE {outbox}%1$s DISABLE TRIGGER ALL; %2$s; ALTER TABLE {outbox}%1$s ENABLE TRIGGER ALL"
                .formatted(table, insert));
    }

    @Test
    void deliversMessagesWhoseTimeIsInfiniteAndTellsHowTheOutboxStands() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
        for (String time : List.of("infinity", "-infinity", "294276-12-31", "4713-01-01 BC")) {
            pastTheTrigger(outbox, "", """
                    INSERT INTO {outbox} (tx, lane, id, topic, message_key, type, payload, created_at)
                    VALUES (pg_current_xact_id(), 0, gen_random_uuid(), 't', '%1$s', 'T', '', '%1$s')""".formatted(time));
        }
        assertThat(outbox.store().stats().undelivered()).isEqualTo(4);
        destination.answer(message -> message.key().orElseThrow().equals("infinity")
                ? DeliveryResult.reject("no")
                : DeliveryResult.DELIVERED);

        Relay.withDefaults(outbox.store(), destination).drainOnce();

        assertThat(destination.delivered()).hasSize(3);
        assertThat(letters(outbox.store())).hasSize(1);
    }

    /** While the relay runs, and from the head. */
    @Test
    void deliversRowsWithNumbersThatSomebodyChose() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
        insertWithSeq(outbox, Long.MIN_VALUE);
        insertWithSeq(outbox, Long.MAX_VALUE - 1);
        try (Relay relay = Relay.withDefaults(outbox.store(), destination)) {
            relay.start();
            destination.awaitDelivered(2, SOON);
            insertWithSeq(outbox, -1);
            insertWithSeq(outbox, Long.MAX_VALUE);
            outbox.insertCommitted("usual");
            destination.awaitDelivered(5, SOON);
        }
        assertThat(outbox.store().stats().undelivered()).isZero();
    }

    private static void insertWithSeq(TestOutbox outbox, long seq) throws SQLException {
        pastTheTrigger(outbox, "", """
                INSERT INTO {outbox} (seq, tx, lane, id, topic, message_key, type, payload) OVERRIDING SYSTEM VALUE
                VALUES (%1$d, pg_current_xact_id(), 0, gen_random_uuid(), 't', 'k%1$d', 'T', '')""".formatted(seq));
    }

    /** One that the server itself cannot read any more, as after a failing disk: from the head, and while the relay runs. */
    @Test
    void deliversWhatLiesAroundARowThatIsDamaged() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(2));
        insertThreeAndDamageTheSecond(outbox, "first");
        try (Relay relay = Relay.withDefaults(outbox.store(), destination)) {
            relay.start();
            destination.awaitDelivered(2, SOON);
            insertThreeAndDamageTheSecond(outbox, "second");
            destination.awaitDelivered(4, SOON);
            await(() -> letters(outbox.store()).size() == 2);
        }

        assertThat(keys()).containsExactlyInAnyOrder("first 1", "first 3", "second 1", "second 3");
        assertThat(letters(outbox.store())).allSatisfy(letter -> {
            assertThat(letter.reason()).isEqualTo(DeadReason.UNREADABLE);
            assertThat(letter.error()).contains("The row cannot be read: ", "missing chunk");
            assertThat(letter.message().key().orElseThrow()).endsWith(" 2");
        });
        assertThat(outbox.store().stats().undelivered()).isZero();
    }

    @Test
    void givesUpAHeldRowThatIsDamagedAndSendsTheOthers() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
        for (int number = 1; number <= 3; number++) {
            insertLarge(
                    outbox,
                    "_held",
                    "seq, attempts, next_attempt_at, blocked, destination, content_type, created_at",
                    number + ", 1, now(), false, 'recording', 'text/plain', now()",
                    "held " + number);
        }
        damage(outbox, "_held", 1);

        Relay.withDefaults(outbox.store(), destination).drainOnce();

        assertThat(keys()).containsExactlyInAnyOrder("held 1", "held 3");
        assertThat(letters(outbox.store())).singleElement().matches(letter -> letter.reason() == DeadReason.UNREADABLE);
        assertThat(outbox.store().stats().held()).isZero();
    }

    private static void insertThreeAndDamageTheSecond(TestOutbox outbox, String name) throws SQLException {
        requireSurgery(outbox);
        try (Connection connection = outbox.begin();
                Statement statement = connection.createStatement()) {
            // Until the end of this transaction nobody reads the rows.
            for (int number = 1; number <= 3; number++) {
                statement.execute(large("", "tx", "pg_current_xact_id()", name + " " + number)
                        .replace("{outbox}", outbox.table()));
            }
            statement.execute(damageSql("", 1).replace("{outbox}", outbox.table()));
            connection.commit();
        }
    }

    private static void insertLarge(TestOutbox outbox, String table, String columns, String values, String key)
            throws SQLException {
        outbox.execute(large(table, "lane, " + columns, "0, " + values, key));
    }

    /** Random, so that it is not compressed, but stored apart from its row. */
    private static String large(String table, String columns, String values, String key) {
        return """
                INSERT INTO {outbox}%s (%s, id, topic, message_key, type, payload)
                VALUES (%s, gen_random_uuid(), 't', '%s', 'T', (SELECT string_agg(uuid_send(gen_random_uuid()), '')
                                                              FROM generate_series(1, 1000)))""".formatted(table, columns, values, key);
    }

    private static void requireSurgery(TestOutbox outbox) throws SQLException {
        assumeThat(outbox.query("SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_surgery'"))
                .as("PostgreSQL 13 has no tool to damage a row with")
                .isEqualTo("1");
    }

    private static void damage(TestOutbox outbox, String table, int value) throws SQLException {
        requireSurgery(outbox);
        outbox.execute(damageSql(table, value));
    }

    /** Takes a value away from under its row, counted from the newest: older rows may be deleted meanwhile. */
    private static String damageSql(String table, int value) {
        return """
                CREATE EXTENSION IF NOT EXISTS pg_surgery;
                DO $$
                DECLARE
                  toast regclass := (SELECT reltoastrelid FROM pg_class WHERE oid = '{outbox}%1$s'::regclass);
                  chunks tid[];
                BEGIN
                  EXECUTE format('SELECT array_agg(ctid) FROM %%1$s WHERE chunk_id =
                    (SELECT DISTINCT chunk_id FROM %%1$s ORDER BY chunk_id DESC OFFSET %2$d LIMIT 1)', toast) INTO chunks;
                  PERFORM heap_force_kill(toast, chunks);
                END $$""".formatted(table, value);
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** Nothing unreadable gets there by a relay: somebody has changed the row. */
    @ParameterizedTest
    @ValueSource(strings = {"", "destination = NULL, "})
    void givesUpAHeldRowThatIsNoMessageAnyMore(String andNot) throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
        outbox.insertCommitted("changed", "changed", "other");
        destination.answer(message -> DeliveryResult.retry("busy"));
        Relay.withDefaults(outbox.store(), destination).drainOnce();
        outbox.execute("UPDATE {outbox}_held SET " + andNot
                + "type = '', next_attempt_at = now() WHERE next_attempt_at IS NOT NULL"
                + " AND message_key = 'changed'");
        outbox.execute("UPDATE {outbox}_held SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL");
        destination.answer(message -> DeliveryResult.DELIVERED);

        Relay.withDefaults(outbox.store(), destination).drainOnce();

        assertThat(keys()).containsExactlyInAnyOrder("changed", "other");
        assertThat(letters(outbox.store())).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(DeadReason.UNREADABLE);
            assertThat(letter.attempts()).isPositive();
        });
        assertThat(outbox.store().stats().held()).isZero();
    }

    @Test
    void givesUpTextsThatAreNotUnicodeAndKeepsTheirBytes() throws SQLException {
        try (HikariDataSource pool = TestOutbox.pool(asciiDatabase())) {
            TestOutbox outbox = TestOutbox.create(pool, builder -> builder.lanes(1));
            String wrong = "convert_from('\\x62ff', 'SQL_ASCII')";
            for (String row : List.of(
                    wrong + ", 'type', '{}', 'text/plain'",
                    "'t', " + wrong + ", '{}', 'text/plain'",
                    "'t', 'type', '{\"a\":\"' || " + wrong + " || '\"}', 'text/plain'",
                    "'t', 'type', '{}', " + wrong)) {
                outbox.execute("""
                        INSERT INTO {outbox} (id, topic, type, headers, content_type, message_key, payload)
                        VALUES (gen_random_uuid(), %s, 'bad', 'bytes')""".formatted(row));
            }
            outbox.insertCommitted("good");

            Relay.withDefaults(outbox.store(), destination).drainOnce();

            assertThat(keys()).containsExactly("good");
            List<DeadLetter> letters = letters(outbox.store());
            assertThat(letters)
                    .hasSize(4)
                    .allMatch(letter -> letter.reason() == DeadReason.UNREADABLE && !letter.isReadable());
            assertThat(letters.get(0).message().topic()).isEqualTo("\uFFFDb\\377");
            RawContent raw =
                    outbox.store().deadLetters().raw(letters.get(2).ref()).orElseThrow();
            assertThat(raw.payload()).asString().isEqualTo("bytes");
            assertThat(raw.headers().orElseThrow()).contains((byte) 0xff);
            assertThat(outbox.store().deadLetters().discard(DeadLetterFilter.all(), 10, "ann"))
                    .isEqualTo(4);
        }
    }

    private static PGSimpleDataSource asciiDatabase() throws SQLException {
        String name = "ascii_" + System.nanoTime();
        DatabaseServer server = Servers.postgres();
        try (var connection = POOL.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'");
        }
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setServerNames(new String[] {server.host()});
        dataSource.setPortNumbers(new int[] {server.port()});
        dataSource.setDatabaseName(name);
        dataSource.setUser(server.user());
        dataSource.setPassword(server.password());
        return dataSource;
    }

    @Test
    void retriesALetterThatWasTooLargeOnceTheLimitIsRaised() throws SQLException {
        TestOutbox outbox = TestOutbox.create(
                POOL, builder -> builder.limits(MessageLimits.defaults().withMaxPayloadBytes(10)));
        outbox.execute("""
                INSERT INTO {outbox} (id, topic, type, payload)
                VALUES (gen_random_uuid(), 't', 'T', convert_to(repeat('x', 11), 'UTF8'))""");
        OutboxStore raised = PostgresOutboxStore.builder(POOL)
                .prefix(outbox.table())
                .schemaMode(SchemaMode.VERIFY)
                .build();

        UnreadableRows.assertRetriedOnceTheLimitIsRaised(
                outbox.store(), raised, "x".repeat(11).getBytes(StandardCharsets.UTF_8));
    }

    private List<String> keys() {
        return destination.delivered().stream()
                .map(OutboxMessage::key)
                .flatMap(Optional::stream)
                .toList();
    }
}
