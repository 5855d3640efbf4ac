package dev.postrider.store.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.message.MessageLimits;
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
import dev.postrider.store.jdbc.StoredSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class H2SchemaTest {

    private final JdbcDataSource dataSource = H2Fixture.memoryDatabase();

    @AfterEach
    void shutDown() {
        H2Fixture.shutDown(dataSource);
    }

    private H2OutboxStore.Builder builder() {
        return H2OutboxStore.builder(dataSource);
    }

    private void create() {
        assertThat(builder().schemaMode(SchemaMode.CREATE).build().laneCount()).isEqualTo(16);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> query(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    @Test
    void createsTheTablesOnce() {
        create();
        create();

        assertThat(builder().build().stats().undelivered()).isZero();
    }

    @Test
    void createsNothingOverATableOfAnotherSystem() throws SQLException {
        execute("CREATE TABLE \"outbox\" (id BIGINT PRIMARY KEY, status VARCHAR)");

        assertThatThrownBy(this::create)
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("Table \"outbox\" is not that of an outbox", "another prefix");
    }

    @Test
    void tellsWhatTheTablesWereCreatedWith() {
        assertThat(builder().storedSchema()).isEmpty();

        builder().lanes(3).audit(AuditTrail.PLAIN).schemaMode(SchemaMode.CREATE).build();

        assertThat(builder().storedSchema()).contains(new StoredSchema(1, 3, PayloadFormat.BINARY, AuditTrail.PLAIN));
    }

    @Test
    void tellsNothingOfTablesWhoseCreationWasInterrupted() throws SQLException {
        create();
        execute("DELETE FROM \"outbox_meta\" WHERE name = 'schema_version'");

        assertThat(builder().storedSchema()).isEmpty();
    }

    @Test
    void isCreatedByManyAtOnce() {
        List<CompletableFuture<OutboxStore>> starters = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> builder().schemaMode(SchemaMode.CREATE).build()))
                .toList();

        assertThat(starters)
                .allSatisfy(
                        starter -> assertThat(starter.join().leases().lanes()).hasSize(16));
    }

    @Test
    void documentsEveryTable() throws SQLException {
        builder().audit(AuditTrail.PLAIN).schemaMode(SchemaMode.CREATE).build();

        List<String> undocumented = query(
                "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'PUBLIC' AND REMARKS IS NULL");
        List<String> tables = query("SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'PUBLIC'");

        assertThat(undocumented).isEmpty();
        assertThat(tables)
                .containsExactlyInAnyOrder(
                        "outbox",
                        "outbox_lane",
                        "outbox_held",
                        "outbox_delayed",
                        "outbox_dead",
                        "outbox_sent",
                        "outbox_member",
                        "outbox_meta",
                        "outbox_control",
                        "outbox_operation",
                        "outbox_dedup",
                        "outbox_task");
    }

    @Test
    void runsFromItsPrintedSql() throws SQLException {
        execute(builder().lanes(3).audit(AuditTrail.PLAIN).schemaSql());

        OutboxStore store = builder().lanes(3).audit(AuditTrail.PLAIN).build();

        assertThat(store.leases().lanes()).hasSize(3);
    }

    @Test
    void livesInASchemaAndUnderAPrefixOfItsOwn() throws SQLException {
        execute("CREATE SCHEMA \"app\"");
        OutboxStore store = builder()
                .schema("app")
                .prefix("mail")
                .schemaMode(SchemaMode.CREATE)
                .build();
        Outbox outbox = Outbox.withDefaults(store);

        outbox.inTransaction(
                dataSource,
                transaction -> transaction.enqueue(outbox.message("t").type("x").build()));

        assertThat(store.name()).isEqualTo("app.mail");
        assertThat(store.stats().undelivered()).isEqualTo(1);
        assertThat(query("SELECT COUNT(*) FROM \"app\".\"mail\"")).containsExactly("1");
        assertThat(builder().schema("app").prefix("mail").build().stats().undelivered())
                .isEqualTo(1);
    }

    @Test
    void refusesToStartWithoutTables() {
        assertThatThrownBy(() -> builder().build())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("Outbox outbox has no tables")
                .hasMessageContaining("schemaMode(CREATE)")
                .hasMessageContaining("schemaSql()");
    }

    @Test
    void looksAtNothingWhenToldSo() {
        assertThat(builder().schemaMode(SchemaMode.NONE).build().laneCount()).isEqualTo(16);
    }

    @Test
    void refusesAnotherLaneCount() {
        create();

        for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VERIFY)) {
            assertThatThrownBy(() -> builder().lanes(32).schemaMode(mode).build())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("created with lanes 16, but the store was given 32")
                    .hasMessageContaining("set lanes to 16");
        }
    }

    @Test
    void refusesAnOlderOrANewerSchema() throws SQLException {
        create();
        execute("UPDATE \"outbox_meta\" SET \"value\" = '0' WHERE name = 'schema_version'");
        assertThatThrownBy(() -> builder().build())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("schema version 0, this store needs 1");

        execute("UPDATE \"outbox_meta\" SET \"value\" = '99' WHERE name IN ('schema_version', 'readable_from')");
        for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VERIFY)) {
            assertThatThrownBy(() -> builder().schemaMode(mode).build())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("schema version 99, this store knows only 1");
        }
    }

    @Test
    void worksOnANewerSchemaOnlyIfThatSaysThatOlderStoresCan() throws SQLException {
        create();
        execute("UPDATE \"outbox_meta\" SET \"value\" = '99' WHERE name = 'schema_version'");
        for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VERIFY)) {
            assertThat(builder().schemaMode(mode).build().stats().undelivered()).isZero();
        }
        execute("DELETE FROM \"outbox_meta\" WHERE name = 'readable_from'");
        assertThatThrownBy(() -> builder().schemaMode(SchemaMode.VERIFY).build())
                .hasMessageContaining("schema version 99, this store knows only 1");
    }

    @Test
    void upgradesInPlaceWhileAStoreOfTheOlderVersionWorks() throws SQLException {
        create();
        assertThatThrownBy(next(SchemaMode.VERIFY)::prepare)
                .hasMessageContaining("schema version 1, this store needs 2");

        for (int run = 0; run < 2; run++) {
            // The second time as if the first had been interrupted before its end was recorded.
            execute("UPDATE \"outbox_meta\" SET \"value\" = '1' WHERE name = 'schema_version'");
            next(SchemaMode.CREATE).prepare();
        }

        next(SchemaMode.VERIFY).prepare();
        assertThat(query("SELECT COUNT(note) FROM \"outbox_member\"")).containsExactly("0");
        assertThat(builder().build().stats().undelivered()).isZero();
    }

    @Test
    void printsTheUpgradeAndNothingElse() throws SQLException {
        create();

        execute(next(SchemaMode.VERIFY).upgradeSql(1));

        next(SchemaMode.VERIFY).prepare();
        assertThat(next(SchemaMode.VERIFY).upgradeSql(1)).contains("note").doesNotContain("CREATE");
        assertThatThrownBy(() -> builder().upgradeSql(1))
                .hasMessage("from is 1, but version 1 of the tables is the first");
    }

    /** The tables as a next version would have them. */
    private Schema next(SchemaMode mode) {
        JdbcContext context = new JdbcContext(
                dataSource, new H2Dialect(), JdbcStoreOptions.defaults().withSchemaMode(mode));
        SchemaDefinition present = H2OutboxStore.definition(context);
        Migration step =
                new Migration(2, new SchemaScripts(H2SchemaTest.class, context, Map.of()).read("V002__for_tests.sql"));
        return new Schema(
                dataSource,
                context,
                new SchemaDefinition(
                        present.meta(), List.of(present.migrations().get(0), step), present.auditTrails()));
    }

    @Test
    void continuesACreationThatWasInterrupted() throws SQLException {
        create();
        execute("DELETE FROM \"outbox_meta\"");
        execute("DELETE FROM \"outbox_lane\" WHERE lane > 3");
        execute("DROP TABLE \"outbox_task\"");

        create();

        assertThat(builder().build().leases().lanes()).hasSize(16);
        assertThat(query("SELECT COUNT(*) FROM \"outbox_task\"")).containsExactly("0");
    }

    @Test
    void goesOnWithAnInterruptedCreationInTheSameWayOnly() throws SQLException {
        execute("CREATE TABLE in_the_way (number INT CONSTRAINT \"outbox_delayed_foreign_id\" CHECK (number > 0))");
        assertThatThrownBy(
                        () -> builder().lanes(4).schemaMode(SchemaMode.CREATE).build())
                .isInstanceOf(StoreException.class);
        execute("DROP TABLE in_the_way");

        assertThatThrownBy(() -> builder().lanes(4).build()).hasMessageContaining("schema version 0");
        assertThatThrownBy(
                        () -> builder().lanes(2).schemaMode(SchemaMode.CREATE).build())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("lanes 4");
        assertThat(builder()
                        .lanes(4)
                        .schemaMode(SchemaMode.CREATE)
                        .build()
                        .leases()
                        .lanes())
                .hasSize(4);
    }

    @Test
    void addsAnAuditTrailLater() {
        create();
        assertThatThrownBy(() -> builder().audit(AuditTrail.PLAIN).build())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("no audit trail");

        builder().audit(AuditTrail.PLAIN).schemaMode(SchemaMode.CREATE).build();

        assertThat(builder().audit(AuditTrail.PLAIN).build().keepsDelivered()).isTrue();
        assertThat(builder().build().keepsDelivered()).isFalse();
    }

    @Test
    void refusesWhatH2CannotDo() {
        assertThatThrownBy(() -> builder().audit(AuditTrail.PARTITIONED).schemaSql())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("audit is PARTITIONED");
        assertThatThrownBy(() -> builder().limits(MessageLimits.defaults().withMaxPayloadBytes(2 << 20)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxPayloadBytes is 2097152, H2 can store at most 1048576");
    }
}
