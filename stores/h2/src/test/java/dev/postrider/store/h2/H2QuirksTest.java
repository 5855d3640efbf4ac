package dev.postrider.store.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.JdbcTasks;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.testkit.RecordingDestination;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is particular about H2, beside the contract of all stores. */
class H2QuirksTest {

    private final JdbcDataSource dataSource = H2Fixture.memoryDatabase();
    private OutboxStore store;

    @BeforeEach
    void create() {
        store = H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
    }

    @AfterEach
    void shutDown() {
        H2Fixture.shutDown(dataSource);
    }

    private JdbcContext context() {
        return new JdbcContext(dataSource, new H2Dialect(), JdbcStoreOptions.defaults());
    }

    /** H2 counts the rows that a statement has looked at; without the order of the primary key it would be all of them. */
    @Test
    void looksAtNoMoreRowsThanItFetchesHoweverLongTheBacklogIs() throws SQLException {
        Outbox outbox = Outbox.withDefaults(store);
        List<OutboxMessage> backlog = IntStream.range(0, 2_000)
                .mapToObj(i -> outbox.message("t").key("k" + i).type("x").build())
                .toList();
        outbox.inTransaction(dataSource, tx -> tx.enqueue(backlog));
        FetchRequest request = new FetchRequest(Set.of(0, 1, 2), new NothingKnown(), Set.of("x"), 10, 1_000);
        String sql = "EXPLAIN ANALYZE " + new H2LaneScan(context()).candidatesSql(request);

        try (Connection connection = dataSource.getConnection();
                SqlStatement statement = SqlStatement.prepare(connection, new H2Dialect(), sql)) {
            statement.with(0).with(1).with(2).with("x").with(10L);
            String plan = statement.first(row -> row.getString(1)).orElseThrow();

            assertThat(Pattern.compile("scanCount: (\\d+)").matcher(plan).results())
                    .isNotEmpty()
                    .allSatisfy(count ->
                            assertThat(Integer.parseInt(count.group(1))).isLessThan(backlog.size() / 20));
        }
    }

    @Test
    void showsADeadLetterWithTheReasonOfANewerVersion() throws SQLException {
        Outbox.withDefaults(store)
                .inTransaction(
                        dataSource,
                        tx -> tx.enqueue(OutboxMessage.builder("t").type("x").build()));
        RecordingDestination broker = new RecordingDestination("broker");
        broker.answer(message -> DeliveryResult.reject("no"));
        Relay.withDefaults(store, broker).drainOnce();
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("UPDATE \"outbox_dead\" SET reason = 'TIRED_OF_IT'");
        }

        assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
                .singleElement()
                .extracting(DeadLetter::reason)
                .isEqualTo(DeadReason.OTHER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "outbox | seq | -1 | outbox_seq_range",
                "outbox | seq | 9223372036854775807 | outbox_seq_range",
                "outbox | created_at | TIMESTAMP '10000-01-01 00:00:00' | outbox_created_at_range",
                "outbox_delayed | due_at | TIMESTAMP '10000-01-01 00:00:00' | outbox_due_at_range"
            })
    void refusesTimesAndNumbersThatNoRelayCouldUse(String table, String column, String value, String named)
            throws SQLException {
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("""
                            INSERT INTO "%s" (%s, id, topic, type, payload) OVERRIDING SYSTEM VALUE
                            VALUES (%s, RANDOM_UUID(), 't', 'x', X'')""".formatted(table, column, value)))
                    .hasMessageContaining("Check constraint violation")
                    .hasMessageContaining(named);
        }
    }

    private record NothingKnown() implements KnownRows {
        @Override
        public boolean contains(int lane, long seq) {
            return false;
        }

        @Override
        public long[] seqs(int lane) {
            return new long[0];
        }
    }

    @Test
    void worksWithConnectionsThatAreSerializableByDefault() {
        JdbcDataSource serializable = new JdbcDataSource();
        serializable.setURL(
                dataSource.getURL() + ";INIT=SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        OutboxStore strict = H2OutboxStore.builder(serializable).build();
        Outbox outbox = Outbox.withDefaults(strict);
        RecordingDestination broker = new RecordingDestination("broker");
        List<OutboxMessage> messages = IntStream.range(0, 500)
                .mapToObj(i -> outbox.message("t").key("k" + i % 20).type("x").build())
                .toList();

        try (Relay relay = Relay.withDefaults(strict, broker)) {
            relay.start();
            messages.forEach(
                    message -> outbox.inTransaction(serializable, transaction -> transaction.enqueue(message)));
            broker.awaitDelivered(500, Duration.ofMinutes(1));
        }

        assertThat(store.stats().undelivered()).isZero();
    }

    @Test
    void givesATaskToOneInstanceAtATime() {
        JdbcTasks tasks = new JdbcTasks(context());

        assertThat(tasks.take("cleanup", "a", Duration.ofHours(1))).isTrue();
        assertThat(tasks.take("cleanup", "a", Duration.ofHours(1))).isTrue();
        assertThat(tasks.take("cleanup", "b", Duration.ofHours(1))).isFalse();
        assertThat(tasks.take("other", "b", Duration.ofHours(1))).isTrue();

        tasks.release("cleanup", "b");
        assertThat(tasks.take("cleanup", "b", Duration.ofHours(1))).isFalse();
        tasks.release("cleanup", "a");
        assertThat(tasks.take("cleanup", "b", Duration.ZERO)).isTrue();
        assertThat(tasks.take("cleanup", "a", Duration.ofHours(1))).isTrue();
    }
}
