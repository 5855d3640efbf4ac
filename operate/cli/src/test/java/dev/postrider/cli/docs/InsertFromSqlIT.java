package dev.postrider.cli.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Lane;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.Destination;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every statement of docs/guides/insert-from-sql.md, run as it stands there by each database for which it is meant. */
@Timeout(120)
class InsertFromSqlIT {

    private static final Guide GUIDE = Guide.read("insert-from-sql.md");
    private static final Map<DatabaseKind, GuideDatabase> DATABASES = new EnumMap<>(DatabaseKind.class);

    /** What a writer in another language knows of a message. */
    private record Written(UUID id, String key) {
        int lane(int lanes) {
            return key == null ? Lane.forId(MessageId.fromUuid(id), lanes) : Lane.forKey(key, lanes);
        }
    }

    /** One for all tests, with nothing to be delivered in it: creating tables is slow. */
    private static GuideDatabase database(DatabaseKind kind) {
        GuideDatabase database = DATABASES.computeIfAbsent(kind, InsertFromSqlIT::create);
        deliver(database);
        return database;
    }

    private static GuideDatabase create(DatabaseKind kind) {
        GuideDatabase database = GuideDatabase.create(kind);
        database.createTables(new StoreSettings());
        database.execute("CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY, total INT)");
        return database;
    }

    @AfterAll
    static void dropDatabases() {
        DATABASES.values().forEach(GuideDatabase::close);
        DATABASES.clear();
    }

    @ParameterizedTest
    @EnumSource
    void isDeliveredIfItsTransactionCommits(DatabaseKind kind) throws Exception {
        GuideDatabase database = database(kind);
        List<String> transaction = GUIDE.statements(database.block(GUIDE, "transaction"));
        assertThat(transaction).hasSize(4);

        database.executeTogether(withRollback(transaction));
        assertThat(deliver(database)).isEmpty();
        database.executeTogether(transaction);

        assertThat(deliver(database)).singleElement().satisfies(message -> {
            assertThat(message.topic()).isEqualTo("orders");
            assertThat(message.key()).contains("order-17");
            assertThat(message.type()).isEqualTo("com.example.OrderPlaced");
            assertThat(message.headers().asMap())
                    .containsOnlyKeys("ce_source", "ce_time")
                    .containsEntry("ce_source", "/shop");
            assertThat(message.contentType()).isEqualTo("application/json");
            assertThat(new String(message.payload(), UTF_8)).isEqualTo("{\"total\": 42}");
        });
        assertThat(deliver(database)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void travelsWithTheIdThatItsWriterChose(DatabaseKind kind) throws Exception {
        GuideDatabase database = database(kind);
        List<String> insert = GUIDE.statements(database.block(GUIDE, "foreign"));

        database.executeTogether(insert);

        assertThat(deliver(database))
                .singleElement()
                .satisfies(message -> assertThat(message.id().text()).isEqualTo("order-42"));
        String other = insert.get(0).replaceFirst("i.text, 'orders'", "'order-43', 'orders'");
        assertThatThrownBy(() -> database.executeTogether(List.of(other)))
                .as("the id is not that of the text")
                .hasCauseInstanceOf(SQLException.class);
    }

    private static List<String> withRollback(List<String> transaction) {
        List<String> statements = new ArrayList<>(transaction.subList(0, 3));
        statements.add("ROLLBACK");
        return statements;
    }

    private static Collection<OutboxMessage> deliver(GuideDatabase database) {
        Collection<OutboxMessage> delivered = new ConcurrentLinkedQueue<>();
        Destination destination = Destination.blocking("test", delivered::add);
        Relay.withDefaults(database.open(database.dataSource(), new StoreSettings()), destination)
                .drainOnce();
        destination.close();
        return delivered;
    }

    @ParameterizedTest
    @EnumSource
    void liesInTheLaneThatTheLibraryGivesIt(DatabaseKind kind) throws Exception {
        Map<Integer, List<Written>> vectors = vectors();
        vectors.get(16).addAll(randomMessages());
        GuideDatabase database = database(kind);
        for (var entry : vectors.entrySet()) {
            int lanes = entry.getKey();
            String prefix = "lanes_" + lanes;
            database.createHotTable(prefix, lanes);
            insert(database, sql -> sql.replace("outbox", prefix), entry.getValue());

            assertThat(database.query("SELECT lane FROM " + quoted(kind, prefix) + " ORDER BY seq"))
                    .as("%s with %d lanes", kind, lanes)
                    .isEqualTo(entry.getValue().stream()
                            .map(written -> String.valueOf(written.lane(lanes)))
                            .toList());
        }
    }

    private static String quoted(DatabaseKind kind, String table) {
        return kind == DatabaseKind.H2 ? '"' + table + '"' : table;
    }

    /** By lane count, what is published for writers in other languages; each with the lane that it says. */
    private static Map<Integer, List<Written>> vectors() throws IOException {
        List<String> lines = Files.readAllLines(Guide.ROOT.resolve("docs/reference/lane-vectors.csv"));
        Map<Integer, List<Written>> vectors = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] columns = line.split(",");
            Written written = columns[0].equals("key")
                    ? new Written(UUID.randomUUID(), columns[1])
                    : new Written(UUID.fromString(columns[1]), null);
            int lanes = Integer.parseInt(columns[2]);
            assertThat(written.lane(lanes)).isEqualTo(Integer.parseInt(columns[3]));
            vectors.computeIfAbsent(lanes, n -> new ArrayList<>()).add(written);
        }
        return vectors;
    }

    private static List<Written> randomMessages() {
        Random random = new Random(17);
        return IntStream.range(0, 300)
                .mapToObj(i -> new Written(UUID.randomUUID(), i % 10 == 0 ? null : randomKey(random)))
                .toList();
    }

    /** Letters of all planes, at most 512 bytes; no zero, which PostgreSQL cannot store, and no half surrogates. */
    private static String randomKey(Random random) {
        StringBuilder key = new StringBuilder();
        int length = 1 + random.nextInt(128);
        while (key.codePointCount(0, key.length()) < length) {
            int letter = 1 + random.nextInt(random.nextBoolean() ? 0x7f : Character.MAX_CODE_POINT);
            if (letter < Character.MIN_SURROGATE || letter > Character.MAX_SURROGATE) {
                key.appendCodePoint(letter);
            }
        }
        return key.toString();
    }

    private static void insert(GuideDatabase database, UnaryOperator<String> rename, List<Written> messages)
            throws SQLException {
        String sql = rename.apply(GUIDE.statement(database.block(GUIDE, "insert")));
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            connection.setAutoCommit(false);
            for (Written written : messages) {
                statement.setString(1, written.id().toString());
                statement.setString(2, "orders");
                statement.setString(3, written.key());
                statement.setString(4, "com.example.OrderPlaced");
                statement.setString(5, null);
                statement.setString(6, "application/json");
                statement.setBytes(7, "{}".getBytes(UTF_8));
                statement.executeUpdate();
            }
            connection.commit();
        }
    }

    @ParameterizedTest
    @EnumSource
    void canAskForTheLaneOfAKey(DatabaseKind kind) throws Exception {
        GuideDatabase database = database(kind);
        String sql = GUIDE.statement(database.block(GUIDE, "lane"));

        assertThat(List.of("order-17", "Größe", "\uD83D\uDE00", "trailing "))
                .allSatisfy(key ->
                        assertThat(database.query(sql, key)).containsExactly(String.valueOf(Lane.forKey(key, 16))));
    }

    /** A row in a lane that nobody owns would never be found; one in a wrong lane would be out of order. */
    @ParameterizedTest
    @EnumSource
    void cannotChooseItsLane(DatabaseKind kind) throws Exception {
        GuideDatabase database = database(kind);
        insert(database, UnaryOperator.identity(), List.of(new Written(UUID.randomUUID(), "order-17")));
        String insert = GUIDE.statement(database.block(GUIDE, "insert"));
        String outbox = quoted(kind, "outbox");

        for (int lane : new int[] {-1, 0, 16}) {
            String chosen = insert.replace("(id,", "(lane, id,").replace("VALUES (", "VALUES (" + lane + ", ");
            assertThatThrownBy(() -> database.update(
                            chosen, UUID.randomUUID().toString(), "t", "k", "t", null, "text/plain", new byte[0]))
                    .as(chosen)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining(kind == DatabaseKind.H2 ? "LANE" : "lane");
            assertThatThrownBy(() -> database.update("UPDATE " + outbox + " SET lane = " + lane))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(database.query("SELECT lane FROM " + outbox))
                .containsExactly(String.valueOf(Lane.forKey("order-17", 16)));
    }

    @ParameterizedTest
    @EnumSource
    void comesLaterWhenDelayed(DatabaseKind kind) throws Exception {
        GuideDatabase database = database(kind);
        database.execute(GUIDE.statement(database.block(GUIDE, "delayed")));
        if (kind == DatabaseKind.TIDB) {
            // The relay that moves it speaks MySQL here, and expects MySQL to fill in the time.
            database.execute("ALTER TABLE outbox ALTER COLUMN created_at SET DEFAULT (UTC_TIMESTAMP(6))");
        }
        Collection<OutboxMessage> delivered = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < 100 && delivered.isEmpty(); i++) {
            delivered.addAll(deliver(database));
        }

        assertThat(delivered).extracting(OutboxMessage::type).containsExactly("com.example.OrderReminder");
    }

    @ParameterizedTest
    @EnumSource
    void claimsADedupKeyOnce(DatabaseKind kind) throws Exception {
        GuideDatabase database = database(kind);
        String sql = GUIDE.statement(database.block(GUIDE, "dedup"));
        String id = UUID.randomUUID().toString();

        assertThat(database.update(sql, "request-1", id)).isOne();
        assertThat(database.update(sql, "request-1", id)).isZero();
        assertThat(database.update(sql, "request-2", id)).isOne();
    }
}
