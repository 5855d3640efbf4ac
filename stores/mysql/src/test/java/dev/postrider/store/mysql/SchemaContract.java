package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxStore;
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
import dev.postrider.testservers.Database;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the tables are made and checked, where each statement commits by itself. */
abstract class SchemaContract {

    private final TestServer server;
    private Database database;
    private HikariDataSource dataSource;

    SchemaContract(TestServer server) {
        this.server = server;
    }

    @BeforeEach
    void createDatabase() {
        database = server.newPlainDatabase("schema");
        dataSource = server.pool(database);
    }

    @AfterEach
    void close() {
        dataSource.close();
        database.close();
    }

    private MysqlOutboxStoreBuilder builder() {
        return MysqlOutboxStore.builder(dataSource);
    }

    private OutboxStore create(int lanes) {
        return builder().lanes(lanes).schemaMode(SchemaMode.CREATE).build();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void insert(HikariDataSource dataSource, OutboxStore store) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            store.insert(
                    connection,
                    List.of(OutboxMessage.builder("t").key("k").type("x").build()));
            connection.commit();
        }
    }

    @Test
    void createsItsTablesOnce() throws SQLException {
        insert(dataSource, create(4));

        assertThat(create(4).stats().undelivered()).isOne();
    }

    @Test
    void refusesToStartWithoutItsTables() {
        assertThatThrownBy(builder()::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("Outbox outbox has no tables", "schemaMode(CREATE)", "schemaSql()");
    }

    @Test
    void looksAtNothingWhenToldSo() {
        assertThat(builder().schemaMode(SchemaMode.NONE).build().laneCount()).isEqualTo(16);
    }

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "VERIFY"})
    void refusesAnotherLaneCountAndAnotherPayloadFormat(SchemaMode mode) {
        create(16);

        assertThatThrownBy(builder().lanes(32).schemaMode(mode)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("lanes 16", "given 32", "set lanes to 16");
        assertThatThrownBy(builder().payload(PayloadFormat.JSON).schemaMode(mode)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("payload BINARY", "given JSON");
    }

    @Test
    void refusesAnOlderOrANewerSchema() throws SQLException {
        create(16);
        execute("UPDATE outbox_meta SET `value` = '0' WHERE name = 'schema_version'");
        assertThatThrownBy(builder()::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("schema version 0, this store needs 1", "schemaMode(CREATE)");

        execute("UPDATE outbox_meta SET `value` = '99' WHERE name IN ('schema_version', 'readable_from')");
        for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VERIFY)) {
            assertThatThrownBy(builder().schemaMode(mode)::build)
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("schema version 99, this store knows only 1");
        }
    }

    @Test
    void upgradesInPlaceWhileAStoreOfTheOlderVersionReads() throws SQLException {
        OutboxStore older = create(4);
        insert(dataSource, older);
        assertThatThrownBy(next(SchemaMode.VERIFY)::prepare)
                .hasMessageContaining("schema version 1, this store needs 2");

        for (int run = 0; run < 2; run++) {
            // The second time as if the first had been interrupted before its end was recorded.
            execute("UPDATE outbox_meta SET `value` = '1' WHERE name = 'schema_version'");
            next(SchemaMode.CREATE).prepare();
        }

        next(SchemaMode.VERIFY).prepare();
        execute("SELECT note FROM outbox_member");
        assertThat(TestScans.readAll(older)).hasSize(1);
        assertThat(TestScans.readAll(builder().lanes(4).build())).hasSize(1);
    }

    @Test
    void printsTheUpgradeAndNothingElse() throws SQLException {
        create(4);

        for (String statement : next(SchemaMode.VERIFY).upgradeSql(1).split(";\n")) {
            execute(statement);
        }

        next(SchemaMode.VERIFY).prepare();
        assertThat(next(SchemaMode.VERIFY).upgradeSql(1))
                .contains("ADD COLUMN note")
                .doesNotContain("CREATE");
    }

    /** The tables as a next version would have them. */
    private Schema next(SchemaMode mode) {
        JdbcStoreOptions options = JdbcStoreOptions.defaults().withLanes(4).withSchemaMode(mode);
        JdbcContext context =
                new JdbcContext(dataSource, MysqlDialect.of(server.flavor().oldest(), 1 << 20), options);
        SchemaDefinition present = new MysqlSchema(context, server.flavor()).definition();
        Migration step = new Migration(
                2, new SchemaScripts(SchemaContract.class, context, Map.of()).read("V002__for_tests.sql"));
        return new Schema(
                dataSource,
                context,
                new SchemaDefinition(
                        present.meta(), List.of(present.migrations().get(0), step), present.auditTrails()));
    }

    @Test
    void createsNothingOverATableOfAnotherSystem() throws SQLException {
        execute("CREATE TABLE outbox (id BIGINT PRIMARY KEY, status VARCHAR(16))");

        assertThatThrownBy(() -> create(4))
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("Table `outbox` is not that of an outbox", "message_key", "another prefix");
        execute("CREATE TABLE outbox_meta (name VARCHAR(64) PRIMARY KEY, `value` VARCHAR(255) NOT NULL)");
        assertThatThrownBy(() -> create(4)).isInstanceOf(SchemaException.class);
        execute("DROP TABLE outbox, outbox_meta");
        create(4);
    }

    @Test
    void createsNothingBesideASingleTableThatBearsOneOfItsNames() throws SQLException {
        execute("CREATE TABLE outbox_task (name VARCHAR(64) PRIMARY KEY, owner VARCHAR(9), lease_until DATETIME)");

        assertThatThrownBy(() -> create(4))
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("There is a table `outbox_task` already", "no `outbox_meta`");
        assertThatThrownBy(() -> execute("SELECT 1 FROM outbox_lane")).isInstanceOf(SQLException.class);
    }

    /** As the printed SQL makes it, which passes over tables that exist. */
    @Test
    void refusesAnOutboxThatWasMadeAroundATableOfAnotherSystem() throws SQLException {
        create(16);
        execute("DROP TABLE outbox");
        execute("CREATE TABLE outbox (id BIGINT PRIMARY KEY, status VARCHAR(16))");

        for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VERIFY)) {
            assertThatThrownBy(builder().schemaMode(mode)::build)
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("`outbox` is not that of an outbox");
        }
        assertThatThrownBy(builder()::storedSchema).isInstanceOf(SchemaException.class);
    }

    @Test
    void createsNoInboxOverATableOfAnotherSystem() throws SQLException {
        execute("CREATE TABLE inbox (id BIGINT PRIMARY KEY)");

        assertThatThrownBy(MysqlInboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("`inbox` is not that of an inbox");
    }

    @Test
    void goesOnWithAnInterruptedCreationInTheSameWayOnly() throws SQLException {
        create(4);
        execute("DROP TABLE outbox_lane");
        execute("DELETE FROM outbox_meta WHERE name = 'schema_version'");

        assertThatThrownBy(builder().lanes(4)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("schema version 0");
        // What is there already would put messages into lanes that nobody owns.
        assertThatThrownBy(() -> create(2)).isInstanceOf(SchemaException.class).hasMessageContaining("lanes 4");
        OutboxStore store = create(4);
        insert(dataSource, store);

        assertThat(store.leases().lanes()).hasSize(4);
        assertThat(TestScans.readAll(store)).hasSize(1);
    }

    @Test
    void addsAnAuditTrailLater() {
        create(16);
        assertThatThrownBy(builder().audit(AuditTrail.PLAIN)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("no audit trail");

        builder().audit(AuditTrail.PLAIN).schemaMode(SchemaMode.CREATE).build();

        assertThat(builder().audit(AuditTrail.PLAIN).build().keepsDelivered()).isTrue();
        assertThat(builder().build().keepsDelivered()).isFalse();
        assertThatThrownBy(builder().audit(AuditTrail.PARTITIONED)::build)
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("audit PLAIN", "given PARTITIONED");
    }

    @NotOnTidb("its audit trail has no partitions")
    @Test
    void livesUnderAReservedWordAndUnderTheLongestName() throws SQLException {
        for (String prefix : List.of("Order", "a".repeat(40))) {
            OutboxStore store = builder()
                    .prefix(prefix)
                    .audit(AuditTrail.PARTITIONED)
                    .schemaMode(SchemaMode.CREATE)
                    .build();
            insert(dataSource, store);

            assertThat(TestScans.readAll(store)).hasSize(1);
            assertThat(PartitionKeeper.builder(store, PartitionPeriod.MONTH)
                            .build()
                            .runOnce()
                            .created())
                    .isNotEmpty();
        }
    }

    @Test
    void refusesANameWithAQuote() {
        assertThatThrownBy(() -> builder().prefix("out`box"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix is 'out`box'");
        assertThatThrownBy(() -> builder().schema("out`box"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema is 'out`box'");
    }

    @Test
    void needsNoRightToCreateTablesThatAreThere() throws SQLException {
        create(16);
        withUserWhoMayOnlyWrite(limited -> {
            assertThat(MysqlOutboxStore.builder(limited).build().laneCount()).isEqualTo(16);
            assertThat(MysqlOutboxStore.builder(limited)
                            .schemaMode(SchemaMode.CREATE)
                            .build()
                            .laneCount())
                    .isEqualTo(16);
            assertThatThrownBy(MysqlOutboxStore.builder(limited).prefix("other").schemaMode(SchemaMode.CREATE)::build)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("create the schema")
                    .hasStackTraceContaining("denied");
        });
    }

    private void withUserWhoMayOnlyWrite(Consumer<HikariDataSource> test) throws SQLException {
        String user = database.name();
        for (String host : QuirksContract.HOSTS) {
            execute("CREATE USER '%s'@'%s' IDENTIFIED BY 'secret'".formatted(user, host));
            execute("GRANT SELECT, INSERT, UPDATE, DELETE ON %s.* TO '%s'@'%s'".formatted(database.name(), user, host));
        }
        HikariConfig config = server.config(database);
        config.setUsername(user);
        config.setPassword("secret");
        try (HikariDataSource limited = new HikariDataSource(config)) {
            test.accept(limited);
        } finally {
            for (String host : QuirksContract.HOSTS) {
                execute("DROP USER '%s'@'%s'".formatted(user, host));
            }
        }
    }
}
