package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.Migration;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.Schema;
import dev.postrider.store.jdbc.SchemaDefinition;
import dev.postrider.store.jdbc.SchemaException;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.SchemaScripts;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The tables: how they are made and checked. */
class PostgresSchemaIT {

    private static final Database DATABASE = Servers.postgres().createDatabase("schema");
    private static final HikariDataSource POOL = TestOutbox.pool(DATABASE.dataSource());

    @Test
    void createsItsTablesOnceWhenSeveralStartTogether() {
        List<CompletableFuture<OutboxStore>> starts = Stream.generate(() -> builder("together"))
                .limit(4)
                .map(builder -> CompletableFuture.supplyAsync(
                        () -> builder.schemaMode(SchemaMode.CREATE).build()))
                .toList();

        assertThat(starts).allSatisfy(start -> assertThat(start.join().name()).isEqualTo("together"));
        assertThat(builder("together").build().leases().lanes()).hasSize(16);
    }

    @Test
    void refusesToStartWithoutItsTables() {
        assertThatThrownBy(builder("missing")::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("missing")
                .hasMessageContaining("schemaMode(CREATE)");
    }

    /** A PostgreSQL that answers as CockroachDB does, and like it knows few settings: the reason comes before any of them. */
    @Test
    void refusesAServerThatOnlySpeaksLikePostgresqlBeforeItUsesAnySetting() throws SQLException {
        Database cockroach = Servers.postgres().createDatabase("cockroach");
        try (Connection connection = cockroach.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE FUNCTION public.version() RETURNS text LANGUAGE sql AS $$ SELECT 'CockroachDB CCL v25.2.1' $$");
            statement.execute(
                    "CREATE FUNCTION public.set_config(text, text, boolean) RETURNS text LANGUAGE plpgsql AS $$"
                            + " BEGIN RAISE 'unrecognized configuration parameter %', $1; END $$");
        }
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setUrl(cockroach.jdbcUrl());
        connections.setUser(cockroach.user());
        connections.setPassword(cockroach.password());
        connections.setOptions("-c search_path=public,pg_catalog");
        try (HikariDataSource pool = TestOutbox.pool(connections)) {
            assertThatThrownBy(PostgresOutboxStore.builder(pool).schemaMode(SchemaMode.CREATE)::build)
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("The server is CockroachDB, which has no xid8")
                    .hasMessageContaining("keep the outbox in PostgreSQL 13 or later");
        }
    }

    @Test
    void refusesAnotherLaneCount() {
        builder("counted").lanes(8).schemaMode(SchemaMode.CREATE).build();

        assertThatThrownBy(builder("counted").lanes(4)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("lanes 8");
    }

    @Test
    void looksAtNothingWhenToldSo() {
        assertThat(builder("unseen").schemaMode(SchemaMode.NONE).build().laneCount())
                .isEqualTo(16);
    }

    @Test
    void refusesAnOlderOrANewerSchema() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL);
        outbox.execute("UPDATE {outbox}_meta SET value = '0' WHERE name = 'schema_version'");
        assertThatThrownBy(builder(outbox.table())::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("schema version 0, this store needs 1")
                .hasMessageContaining("schemaMode(CREATE)");

        outbox.execute("UPDATE {outbox}_meta SET value = '99' WHERE name IN ('schema_version', 'readable_from')");
        for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VERIFY)) {
            assertThatThrownBy(builder(outbox.table()).schemaMode(mode)::build)
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("schema version 99, this store knows only 1");
        }
    }

    @Test
    void createsNothingOverATableOfAnotherSystem() throws SQLException {
        execute("CREATE TABLE theirs (id bigint PRIMARY KEY, status text)");
        execute("CREATE TABLE their_inbox (id bigint PRIMARY KEY)");

        assertThatThrownBy(builder("theirs").schemaMode(SchemaMode.CREATE)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("Table \"theirs\" is not that of an outbox", "another prefix than theirs");
        assertThatThrownBy(
                        PostgresInboxStore.builder(POOL).prefix("their_inbox").schemaMode(SchemaMode.CREATE)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("\"their_inbox\" is not that of an inbox");
    }

    @Test
    void refusesAnOutboxThatWasMadeAroundATableOfAnotherSystem() throws SQLException {
        builder("around").schemaMode(SchemaMode.CREATE).build();
        execute("DROP TABLE around");
        execute("CREATE TABLE around (id bigint PRIMARY KEY, status text)");

        assertThatThrownBy(builder("around")::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("\"around\" is not that of an outbox");
    }

    @Test
    void upgradesInPlaceWhileAStoreOfTheOlderVersionReads() throws SQLException {
        ScanDriver older = ScanDriver.ofAllLanes(
                builder("step").schemaMode(SchemaMode.CREATE).build());
        execute(rowOf("step", "before"));
        assertThat(older.fetchKeys()).containsExactly("before");
        assertThatThrownBy(next("step", SchemaMode.VERIFY)::prepare)
                .hasMessageContaining("schema version 1, this store needs 2");

        next("step", SchemaMode.CREATE).prepare();
        execute(rowOf("step", "after"));

        next("step", SchemaMode.VERIFY).prepare();
        assertThat(query("SELECT count(note) FROM step_member")).isEqualTo("0");
        assertThat(older.fetchKeys()).containsExactly("after");
        assertThat(ScanDriver.ofAllLanes(builder("step").build()).fetchKeys()).containsExactly("before", "after");
    }

    @Test
    void printsTheUpgradeAndNothingElse() throws SQLException {
        builder("printed_step").schemaMode(SchemaMode.CREATE).build();
        Schema next = next("printed_step", SchemaMode.VERIFY);

        execute(next.upgradeSql(1));

        next.prepare();
        assertThat(next.upgradeSql(1)).contains("ADD COLUMN note").doesNotContain("CREATE");
        for (int from : List.of(0, 2, 3)) {
            assertThatThrownBy(() -> next.upgradeSql(from))
                    .hasMessage("from is %d, expected a version before 2, which is the present one", from);
        }
    }

    /** The tables as a next version would have them. */
    private static Schema next(String prefix, SchemaMode mode) {
        JdbcStoreOptions options =
                JdbcStoreOptions.defaults().withPrefix(prefix).withSchemaMode(mode);
        JdbcContext context = new JdbcContext(POOL, new PostgresDialect(PayloadFormat.BINARY), options);
        SchemaDefinition present = PostgresSchema.definition(context);
        Migration step = new Migration(
                2, new SchemaScripts(PostgresSchemaIT.class, context, Map.of()).read("V002__for_tests.sql"));
        return new Schema(
                POOL,
                context,
                new SchemaDefinition(
                        present.meta(), List.of(present.migrations().get(0), step), present.auditTrails()));
    }

    private static String rowOf(String prefix, String key) {
        return "INSERT INTO %s (id, topic, message_key, type, payload) VALUES (gen_random_uuid(), 't', '%s', 'T', '')"
                .formatted(prefix, key);
    }

    @Test
    void asksWhereLeadsWhatIsHeldWithoutADestination() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL);
        outbox.execute("""
                INSERT INTO {outbox}_held (lane, seq, id, topic, message_key, type, content_type, payload, created_at,
                  attempts, next_attempt_at, blocked)
                VALUES (3, 1, gen_random_uuid(), 't', 'k', 'x', 'text/plain', '', now(), 1, now(), false)""");

        assertThat(outbox.store().forRelay(Ordering.PER_KEY).held().unassigned(3, 10, 1_000))
                .hasSize(1);
    }

    @Test
    void leavesNothingBehindOfACreationThatFails() throws SQLException {
        execute("CREATE FUNCTION torn_check_times() RETURNS integer LANGUAGE sql AS 'SELECT 1'");

        assertThatThrownBy(builder("torn").schemaMode(SchemaMode.CREATE)::build)
                .isInstanceOf(StoreException.class)
                .hasStackTraceContaining("torn_check_times");

        execute("DROP FUNCTION torn_check_times");
        assertThatThrownBy(builder("torn")::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("has no tables");
        assertThat(builder("torn")
                        .lanes(2)
                        .schemaMode(SchemaMode.CREATE)
                        .build()
                        .leases()
                        .lanes())
                .hasSize(2);
    }

    @Test
    void addsAnAuditTrailLater() {
        builder("later").schemaMode(SchemaMode.CREATE).build();
        assertThatThrownBy(builder("later").audit(AuditTrail.PLAIN)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("no audit trail");

        builder("later").audit(AuditTrail.PLAIN).schemaMode(SchemaMode.CREATE).build();

        assertThat(builder("later").audit(AuditTrail.PLAIN).build().keepsDelivered())
                .isTrue();
        assertThatThrownBy(builder("later").audit(AuditTrail.PARTITIONED)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("audit PLAIN");
    }

    @Test
    void refusesANameWithAQuote() {
        assertThatThrownBy(() -> builder("out\"box"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix is 'out\"box'");
        assertThatThrownBy(() -> builder("outbox").schema("app\"; --"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema is 'app\"; --'");
    }

    /** Longer names are cut by the server, and two of them would be one. */
    @Test
    void livesUnderTheLongestName() {
        OutboxStore store = builder("a".repeat(40))
                .audit(AuditTrail.PARTITIONED)
                .schemaMode(SchemaMode.CREATE)
                .build();

        PartitionKeeper keeper =
                PartitionKeeper.builder(store, PartitionPeriod.HOUR).build();

        assertThat(keeper.runOnce().created()).hasSizeGreaterThanOrEqualTo(48).allMatch(name -> name.length() < 64);
        assertThat(keeper.runOnce().created()).isEmpty();
    }

    @Test
    void needsNoRightToCreateTablesThatAreThere() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.audit(AuditTrail.PLAIN));
        execute("CREATE ROLE only_writes LOGIN PASSWORD 'secret'");
        execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
        execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO only_writes");
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setUrl(DATABASE.jdbcUrl());
        connections.setUser("only_writes");
        connections.setPassword("secret");
        try (HikariDataSource limited = TestOutbox.pool(connections)) {
            for (SchemaMode mode : SchemaMode.values()) {
                OutboxStore store = PostgresOutboxStore.builder(limited)
                        .prefix(outbox.table())
                        .audit(AuditTrail.PLAIN)
                        .schemaMode(mode)
                        .build();
                assertThat(deliver(limited, store)).isEqualTo(1);
            }
            assertThatThrownBy(PostgresOutboxStore.builder(limited)
                            .prefix("forbidden")
                            .schemaMode(SchemaMode.CREATE)::build)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("create the schema")
                    .hasStackTraceContaining("permission denied");
        } finally {
            execute("DROP OWNED BY only_writes");
            execute("DROP ROLE only_writes");
        }
    }

    private static int deliver(HikariDataSource dataSource, OutboxStore store) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            store.insert(connection, List.of(TestOutbox.message("k")));
            connection.commit();
        }
        try (RecordingDestination destination = new RecordingDestination("recording")) {
            return (int) Relay.withDefaults(store, destination).drainOnce().delivered();
        }
    }

    private static String query(String sql) throws SQLException {
        try (Connection connection = POOL.getConnection()) {
            return TestOutbox.query(connection, sql);
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = POOL.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void refusesASequenceThatHandsOutNumbersInAdvance() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL);
        outbox.execute("ALTER TABLE {outbox} ALTER COLUMN seq SET CACHE 20");
        String repair = "ALTER TABLE \"%s\" ALTER COLUMN seq SET CACHE 1".formatted(outbox.table());

        assertThatThrownBy(builder(outbox.table())::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("CACHE 20")
                .hasMessageContaining(repair);
        outbox.execute(repair);
        builder(outbox.table()).build();
    }

    @Test
    void printsSqlThatMakesTheSameTables() throws SQLException {
        for (AuditTrail audit : AuditTrail.values()) {
            String prefix = "printed_" + audit.name().toLowerCase(java.util.Locale.ROOT);
            String sql = builder(prefix).audit(audit).schemaSql();
            execute(sql);
            builder(prefix).audit(audit).build();
        }
    }

    @Test
    void documentsEveryTable() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.audit(AuditTrail.PLAIN));

        assertThat(outbox.query("""
                SELECT string_agg(relname, ', ') FROM pg_class
                WHERE relkind = 'r' AND (relname = '{outbox}' OR relname LIKE '{outbox}\\_%')
                  AND obj_description(oid, 'pg_class') IS NULL""")).isNull();
    }

    /** A further one would cost every insert, and let inserts of several rows wait for others between their rows. */
    @Test
    void theHotTableHasNoUniqueIndexButItsPrimaryKey() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder);

        assertThat(outbox.query("""
                SELECT count(*) || ' unique of ' || (SELECT count(*) FROM pg_index WHERE indrelid = '{outbox}'::regclass)
                FROM pg_index WHERE indrelid = '{outbox}'::regclass AND indisunique""")).isEqualTo("1 unique of 2");
    }

    @Test
    void livesInAnySchemaUnderAnyName() throws SQLException {
        execute("CREATE SCHEMA \"App\"");
        OutboxStore store =
                builder("Order").schema("App").schemaMode(SchemaMode.CREATE).build();
        try (Connection connection = POOL.getConnection()) {
            connection.setAutoCommit(false);
            store.insert(connection, List.of(TestOutbox.message("k")));
            connection.commit();
        }
        ScanDriver driver = ScanDriver.ofAllLanes(store);
        assertThat(driver.fetchKeys()).containsExactly("k");
        driver.settle();
        assertThat(store.stats().undelivered()).isZero();
    }

    @Test
    void keepsJsonPayloadsByteForByte() throws SQLException {
        TestOutbox outbox = TestOutbox.create(
                POOL, builder -> builder.payload(PayloadFormat.JSON).limits(new MessageLimits(100, 100)));
        String json = "{ \"b\" : 1.0, \"a\":\"\u00e4\" , \"b\": 2 }";
        insert(outbox, OutboxMessage.builder("t").key("k").type("T").json(json).build());
        assertThatThrownBy(() -> insert(
                        outbox,
                        OutboxMessage.builder("t")
                                .type("T")
                                .checkJson(false)
                                .json("{")
                                .build()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("json");
        outbox.execute("INSERT INTO {outbox} (id, topic, message_key, type, payload) VALUES"
                + " (gen_random_uuid(), 't', 'k', 'T', '\"" + "x".repeat(200) + "\"')");

        List<OutboxRow> rows = ScanDriver.ofAllLanes(outbox.store()).fetchAll();

        assertThat(((OutboxRow.Hot) rows.get(0)).message().payload()).isEqualTo(json.getBytes(StandardCharsets.UTF_8));
        assertThat(rows.get(1)).isInstanceOf(OutboxRow.Unreadable.class);
    }

    @Test
    void keepsDeliveredMessagesInAPartitionThatAlwaysExists() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1).audit(AuditTrail.PARTITIONED));
        outbox.insertCommitted("k");
        OutboxRow row = ScanDriver.ofAllLanes(outbox.store()).fetchAll().get(0);
        var lease = outbox.store()
                .leases()
                .take(0, "relay", Duration.ofMinutes(1))
                .orElseThrow()
                .lease();

        outbox.store()
                .forRelay(Ordering.PER_KEY)
                .settle(lease, List.of(RowOutcome.hot(row.ref(), new RowOutcome.Delivered())));

        assertThat(outbox.query("SELECT message_key FROM {outbox}_sent_default"))
                .isEqualTo("k");
        assertThat(outbox.query("SELECT count(*) FROM {outbox}")).isEqualTo("0");
    }

    private static PostgresOutboxStoreBuilder builder(String prefix) {
        return PostgresOutboxStore.builder(POOL).prefix(prefix);
    }

    private static void insert(TestOutbox outbox, OutboxMessage message) throws SQLException {
        try (Connection connection = outbox.begin()) {
            outbox.store().insert(connection, List.of(message));
            connection.commit();
        }
    }
}
