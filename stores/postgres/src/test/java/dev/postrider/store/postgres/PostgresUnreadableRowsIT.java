package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadLetters.RawContent;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Rows with values that a driver or the server refuses to compute with: they stop no other row, and are lost to nobody. */
class PostgresUnreadableRowsIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();

    private final RecordingDestination destination = new RecordingDestination("recording");

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
        outbox.execute("""
                INSERT INTO {outbox}_delayed (id, due_at, topic, message_key, type, payload)
                VALUES (gen_random_uuid(), %s, 't', '%s', 'T', '')""".formatted(due, key));
    }

    @Test
    void deliversMessagesWhoseTimeIsInfiniteAndTellsHowTheOutboxStands() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
        for (String time : List.of("infinity", "-infinity", "294276-12-31", "4713-01-01 BC")) {
            outbox.execute("""
                    INSERT INTO {outbox} (id, topic, message_key, type, payload, created_at)
                    VALUES (gen_random_uuid(), 't', '%1$s', 'T', '', '%1$s')""".formatted(time));
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
        outbox.execute("""
                INSERT INTO {outbox} (seq, id, topic, message_key, type, payload) OVERRIDING SYSTEM VALUE
                VALUES (%1$d, gen_random_uuid(), 't', 'k%1$d', 'T', '')""".formatted(seq));
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
        Relay.withDefaults(outbox.store(), destination).drainOnce();
        DeadLetter letter = letters(outbox.store()).get(0);

        assertThat(letter.isReadable()).isFalse();
        assertThat(outbox.store().deadLetters().raw(letter.ref()).orElseThrow().payload())
                .isEqualTo("x".repeat(11).getBytes(StandardCharsets.UTF_8));
        assertThat(outbox.store().deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann"))
                .isZero();

        OutboxStore raised = PostgresOutboxStore.builder(POOL)
                .prefix(outbox.table())
                .schemaMode(SchemaMode.VERIFY)
                .build();
        assertThat(raised.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann"))
                .isOne();
        Relay.withDefaults(raised, destination).drainOnce();
        assertThat(destination.delivered())
                .singleElement()
                .satisfies(message -> assertThat(message.payload()).hasSize(11));
        assertThat(letters(raised)).isEmpty();
    }

    private List<String> keys() {
        return destination.delivered().stream()
                .map(OutboxMessage::key)
                .flatMap(Optional::stream)
                .toList();
    }

    private static List<DeadLetter> letters(OutboxStore store) {
        return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 100);
    }
}
