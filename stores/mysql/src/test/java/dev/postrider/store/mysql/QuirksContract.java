package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.Lane;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.NotOnTidb;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to these servers. */
abstract class QuirksContract {

    private static final List<String> ODD_KEYS = List.of(
            "a",
            " ",
            "a ",
            "A",
            "ä",
            "a\u0308",
            "日本語",
            "🚀",
            "'\"\\%_`;--",
            "line\nbreak\ttab",
            "\u0001\u007f",
            "x".repeat(512),
            "🚀".repeat(128),
            "order-4711",
            "0",
            "NULL");

    /** A user of any host gives way to the anonymous one of this host, where that exists. */
    static final List<String> HOSTS = List.of("%", "localhost");

    private final TestServer server;
    private Database database;
    private HikariDataSource dataSource;

    QuirksContract(TestServer server) {
        this.server = server;
    }

    @BeforeEach
    void createDatabase() {
        database = server.newPlainDatabase("quirks");
        dataSource = server.pool(database);
    }

    @AfterEach
    void close() {
        dataSource.close();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 1024})
    void computesTheLaneAsEveryWriterDoes(int lanes) throws SQLException {
        builder().lanes(lanes).build();
        List<MessageId> ids = new ArrayList<>();
        for (String key : ODD_KEYS) {
            ids.add(insertForeign(key));
        }
        ids.add(insertForeign(null));
        ids.add(insertForeign(null));

        List<Integer> computed = numbers("SELECT lane FROM outbox ORDER BY seq");

        List<Integer> expected = new ArrayList<>();
        ODD_KEYS.forEach(key -> expected.add(Lane.forKey(key, lanes)));
        ids.subList(ODD_KEYS.size(), ids.size()).forEach(id -> expected.add(Lane.forId(id, lanes)));
        assertThat(computed).isEqualTo(expected);
    }

    private MessageId insertForeign(String key) throws SQLException {
        MessageId id = MessageIdGenerator.uuidV7().next();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "INSERT INTO outbox (id, topic, message_key, type, payload, created_at) VALUES (?, 't', ?, 't', '', UTC_TIMESTAMP(6))")) {
            statement.setBytes(1, id.toBytes());
            statement.setString(2, key);
            statement.executeUpdate();
        }
        return id;
    }

    @Test
    void givesUpRowsOfOthersThatAreNoMessagesAndDeliversTheRest() throws SQLException {
        OutboxStore store = builder().build();
        String id = "UNHEX(REPEAT('0a', 16))";
        for (String refused : List.of(
                "(NULL, 't', 'k', 'x', NULL, '')",
                "(" + id + ", NULL, 'k', 'x', NULL, '')",
                "(" + id + ", 't', 'k', NULL, NULL, '')",
                "(" + id + ", 't', 'k', 'x', NULL, NULL)",
                "(UNHEX(REPEAT('0a', 17)), 't', 'k', 'x', NULL, '')",
                "(" + id + ", 't', REPEAT('k', 513), 'x', NULL, '')")) {
            assertThatThrownBy(() -> insertOdd(refused)).as(refused).isInstanceOf(SQLException.class);
        }
        for (String unreadable : List.of(
                "(" + id + ", '', 'k', 'x', NULL, '')",
                "(" + id + ", 't', '', 'x', NULL, '')",
                "(" + id + ", 't', REPEAT('\u00e4', 512), 'x', NULL, '')",
                "(" + id + ", 't', 'k', '', NULL, '')",
                "(" + id + ", 't', 'k', 'x', 'no json', '')")) {
            insertOdd(unreadable);
        }
        // A short id is filled up with zeros by the server.
        insertOdd("(UNHEX('0a'), 't', 'k', 'x', NULL, '')");
        RecordingDestination destination = new RecordingDestination("recording");

        DrainReport report = Relay.withDefaults(store, destination).drainOnce();

        assertThat(report.delivered()).isOne();
        assertThat(report.dead()).isEqualTo(5);
        assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
                .hasSize(5)
                .allMatch(letter -> letter.reason() == DeadReason.UNREADABLE
                        && !letter.error().isBlank());
        assertThat(store.stats().undelivered()).isZero();
    }

    private void insertOdd(String values) throws SQLException {
        execute("INSERT INTO outbox (id, topic, message_key, type, headers, payload, created_at) VALUES "
                + values.substring(0, values.length() - 1) + ", UTC_TIMESTAMP(6))");
    }

    @Test
    void letsNobodyChooseALane() {
        builder().build();

        assertThatThrownBy(
                        () -> execute(
                                "INSERT INTO outbox (id, lane, topic, type, payload) VALUES (UNHEX(REPEAT('00', 16)), 3, 't', 't', '')"))
                .isInstanceOf(SQLException.class);
    }

    @NotOnTidb("it takes every text for UTF-8 and refuses such a key with error 1366")
    @Test
    void keepsKeysOfAWriterWhoseConnectionIsNotUnicode() throws SQLException {
        OutboxStore store = builder().build();
        HikariConfig latin = TestServer.Driver.CONNECTOR_J.config(database.server(), database.name());
        latin.setJdbcUrl(latin.getJdbcUrl() + "&characterEncoding=ISO-8859-1");
        try (HikariDataSource other = new HikariDataSource(latin)) {
            insert(other, store, message("ä"));
        }

        OutboxRow row = TestScans.readAll(store).get(0);

        assertThat(row.key()).contains("ä");
        assertThat(row.lane()).isEqualTo(Lane.forKey("ä", 16));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ANSI,NO_BACKSLASH_ESCAPES", "TRADITIONAL"})
    void worksInEverySqlMode(String mode) throws SQLException {
        HikariConfig config = TestServer.Driver.CONNECTOR_J.config(database.server(), database.name());
        config.setConnectionInitSql("SET sql_mode = '" + mode + "'");
        try (HikariDataSource other = new HikariDataSource(config)) {
            OutboxStore store = MysqlOutboxStore.builder(other)
                    .schemaMode(SchemaMode.CREATE)
                    .build();
            insert(other, store, message("'\"\\key"));
            RecordingDestination destination = new RecordingDestination("recording");

            assertThat(Relay.withDefaults(store, destination).drainOnce().delivered())
                    .isOne();
        }
    }

    @NotOnTidb("tidb_enable_check_constraint is OFF by default, so that a CHECK is read and not kept")
    @Test
    void keepsJsonByteForByteAndRefusesWhatIsNone() throws SQLException {
        OutboxStore store = builder().payload(PayloadFormat.JSON).build();
        String json = "{ \"b\":1,\"a\" : \"ä🚀\",  \"a\":2.50 }";
        insert(
                dataSource,
                store,
                OutboxMessage.builder("t").type("t").json(json).build());

        OutboxRow.Hot row = (OutboxRow.Hot) TestScans.readAll(store).get(0);

        assertThat(new String(row.message().payload(), StandardCharsets.UTF_8)).isEqualTo(json);
        OutboxMessage broken = OutboxMessage.builder("t")
                .type("t")
                .checkJson(false)
                .json("{broken")
                .build();
        assertThatThrownBy(() -> insert(dataSource, store, broken)).isInstanceOf(StoreException.class);
    }

    @Test
    void insertsMoreThanFitsIntoOnePacket() throws SQLException {
        OutboxStore store = builder().build();
        // Zeros are the worst case: each is sent as two bytes.
        List<OutboxMessage> messages = IntStream.range(0, 60)
                .mapToObj(n -> OutboxMessage.builder("t")
                        .type("t")
                        .payload(new byte[1 << 20])
                        .build())
                .toList();

        insert(dataSource, store, messages.toArray(OutboxMessage[]::new));

        assertThat(numbers("SELECT COUNT(*) FROM outbox")).containsExactly(60);
    }

    @Test
    void printsSqlThatCreatesWhatItVerifies() throws SQLException {
        String sql = MysqlOutboxStore.builder(dataSource)
                .lanes(3)
                .audit(AuditTrail.PARTITIONED)
                .schemaSql();
        for (String statement : sql.split(";\n")) {
            if (!statement.isBlank()) {
                execute(statement);
            }
        }

        OutboxStore store = MysqlOutboxStore.builder(dataSource)
                .lanes(3)
                .audit(AuditTrail.PARTITIONED)
                .schemaMode(SchemaMode.VERIFY)
                .build();

        assertThat(store.laneCount()).isEqualTo(3);
        assertThat(store.leases().lanes()).hasSize(3);
    }

    @Test
    void documentsEveryTable() throws SQLException {
        builder().audit(AuditTrail.PLAIN).build();

        assertThat(numbers("""
                        SELECT COUNT(*) FROM information_schema.TABLES
                        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_COMMENT = ''""")).containsExactly(0);
    }

    /** A further one would cost every insert, and let inserts of several rows wait for others between their rows. */
    @Test
    void theHotTableHasNoUniqueIndexButItsPrimaryKey() throws SQLException {
        builder().build();

        assertThat(numbers("""
                        SELECT COUNT(DISTINCT INDEX_NAME) FROM information_schema.STATISTICS
                        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'outbox' AND NON_UNIQUE = 0""")).containsExactly(1);
    }

    @Test
    void survivesSeveralProcessesThatCreateItAtOnce() {
        List<CompletableFuture<OutboxStore>> builds = IntStream.range(0, 4)
                .mapToObj(n -> CompletableFuture.supplyAsync(() -> builder().build()))
                .toList();

        assertThat(builds)
                .allSatisfy(build -> assertThat(build.join().leases().lanes()).hasSize(16));
    }

    @Test
    void createsAndUsesTheOutboxOfAnotherDatabase() throws SQLException {
        try (Database other = server.newPlainDatabase("other")) {
            OutboxStore store = builder().schema(other.name()).build();
            insert(dataSource, store, message("a"));

            assertThat(store.name()).isEqualTo(other.name() + ".outbox");
            assertThat(numbers("SELECT COUNT(*) FROM " + other.name() + ".outbox"))
                    .containsExactly(1);
            assertThat(TestScans.readAll(store)).hasSize(1);
            assertThat(store.stats().undelivered()).isOne();
        }
    }

    @Test
    void needsNoPrivilegesBeyondItsTables() throws SQLException {
        builder().build();
        String user = database.name();
        for (String host : HOSTS) {
            execute("CREATE USER '%s'@'%s' IDENTIFIED BY 'secret'".formatted(user, host));
            execute("GRANT SELECT, INSERT, UPDATE, DELETE ON %s.* TO '%s'@'%s'".formatted(database.name(), user, host));
        }
        HikariConfig config = server.config(database);
        config.setUsername(user);
        config.setPassword("secret");
        try (HikariDataSource limited = new HikariDataSource(config)) {
            OutboxStore store = MysqlOutboxStore.builder(limited).build();
            insert(limited, store, message("a"));
            ScanSession scan = new ScanSession(TestStore.of(limited, store), Set.of(Lane.forKey("a", 16)));

            assertThat(scan.deliver()).hasSize(1);
            scan.letMarksMove();
        } finally {
            for (String host : HOSTS) {
                execute("DROP USER '%s'@'%s'".formatted(user, host));
            }
        }
    }

    @Test
    void neitherSeesNorWaitsForWhatIsNotCommittedWhateverThePoolsDefaultIs() throws SQLException {
        OutboxStore writer = builder().build();
        insert(dataSource, writer, message("a"));
        try (Connection open = dataSource.getConnection()) {
            open.setAutoCommit(false);
            writer.insert(open, List.of(message("a")));
            for (String level : server.isolations()) {
                for (boolean autoCommit : new boolean[] {true, false}) {
                    assertThat(readWithDefaults(level, autoCommit))
                            .as(level + " " + autoCommit)
                            .isEqualTo(1);
                }
            }
            open.rollback();
        }
    }

    private int readWithDefaults(String level, boolean autoCommit) {
        HikariConfig config = server.config(database);
        config.setTransactionIsolation("TRANSACTION_" + level);
        config.setAutoCommit(autoCommit);
        // A read that locks would fail soon.
        config.setConnectionInitSql("SET SESSION innodb_lock_wait_timeout = 1");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            return TestScans.readAll(MysqlOutboxStore.builder(pool).build()).size();
        }
    }

    MysqlOutboxStoreBuilder builder() {
        return MysqlOutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE);
    }

    private static OutboxMessage message(String key) {
        return OutboxMessage.builder("orders").key(key).type("test").build();
    }

    private static void insert(DataSource dataSource, OutboxStore store, OutboxMessage... messages)
            throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            store.insert(connection, List.of(messages));
            connection.commit();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Integer> numbers(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<Integer> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getInt(1));
            }
            return Collections.unmodifiableList(numbers);
        }
    }
}
