package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.message.MessageId;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.PartitionContract;
import dev.postrider.testkit.StoreFixture;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PostgresPartitionsIT extends PartitionContract {

    private static final Database DATABASE = Servers.postgres().createDatabase("partitions");

    @Override
    protected StoreFixture newFixture(StoreFixture.Setup setup) {
        return PostgresFixture.openNew(DATABASE.dataSource(), setup, AuditTrail.PARTITIONED);
    }

    @Override
    protected OutboxStore anotherInstance() {
        return store(fixture().store().name(), AuditTrail.PARTITIONED);
    }

    @Override
    protected String table(String suffix) {
        return fixture().store().name() + suffix;
    }

    @Override
    protected String partition(String name) {
        return name;
    }

    @Override
    protected String literal(Instant instant) {
        return "TIMESTAMPTZ '" + instant + "'";
    }

    @Override
    protected String literal(MessageId id) {
        return "UUID '" + id.toUuid() + "'";
    }

    private void create(String suffix, Instant from, Instant upTo) {
        execute("CREATE TABLE %1$s_%2$s PARTITION OF %1$s FOR VALUES FROM (%3$s) TO (%4$s)"
                .formatted(table("_sent"), suffix, literal(from), literal(upTo)));
    }

    @Test
    void fillsGapsThatOthersLeft() {
        create("mine", day(1), day(2));
        addSent(day(0));
        addSent(day(2));

        keeper().lookahead(Duration.ofDays(2)).build().runOnce();

        assertThat(partitions().read().partitions())
                .extracting(Partition::from)
                .containsExactly(day(0), day(1), day(2));
        assertThat(rowsIn(name(day(0)))).isEqualTo(1);
        assertThat(rowsIn(name(day(2)))).isEqualTo(1);
    }

    @Test
    void deletesOldRowsOfTheTailAndKeepsRecentOnes() {
        addSent(day(-9));
        addSent(day(-8));
        deliver("recent");

        assertThat(keeper().retention(Duration.ofDays(2)).build().runOnce().deletedFromTail())
                .isEqualTo(2);
        assertThat(fixture().kept()).hasSize(1);
    }

    @Test
    void givesANewPartitionTheIndexesOfTheOthers() throws SQLException {
        keeper().build().runOnce();

        try (Connection connection = fixture().dataSource().getConnection()) {
            assertThat(query(connection, "SELECT count(*) FROM pg_indexes WHERE tablename = '" + name(day(0)) + "'"))
                    .isEqualTo("2");
        }
    }

    @Test
    void readsBoundsWhateverTheSessionPrints() {
        create("odd", day(3), day(4));
        execute("ALTER DATABASE %s SET TimeZone = 'Asia/Kolkata'".formatted(DATABASE.name()));
        execute("ALTER DATABASE %s SET DateStyle = 'German'".formatted(DATABASE.name()));
        try {
            OutboxStore other = store(fixture().store().name(), AuditTrail.PARTITIONED);
            Partition found = other.maintenance()
                    .partitions()
                    .orElseThrow()
                    .read()
                    .partitions()
                    .get(0);
            assertThat(found.from()).isEqualTo(day(3));
            assertThat(found.upTo()).isEqualTo(day(4));
        } finally {
            execute("ALTER DATABASE %s RESET ALL".formatted(DATABASE.name()));
        }
    }

    @Test
    void understandsPartitionsWithoutBounds() {
        execute("CREATE TABLE %1$s_past PARTITION OF %1$s FOR VALUES FROM (MINVALUE) TO (%2$s)"
                .formatted(table("_sent"), literal(day(0))));
        execute("CREATE TABLE %1$s_future PARTITION OF %1$s FOR VALUES FROM (%2$s) TO (MAXVALUE)"
                .formatted(table("_sent"), literal(day(1))));

        assertThat(keeper().build().runOnce().created()).containsExactly(name(day(0)));
        assertThat(partitions().read().partitions())
                .extracting(Partition::from, Partition::upTo)
                .contains(tuple(Instant.MIN, day(0)), tuple(day(1), Instant.MAX));
    }

    @Test
    void refusesANameThatAnotherTableHas() {
        execute("CREATE TABLE %s (note text)".formatted(name(day(0))));

        assertThatThrownBy(() -> keeper().build().runOnce())
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll(name(day(0)), "rename or drop it");
    }

    @Test
    void saysThatTheTailIsMissing() {
        execute("DROP TABLE " + table("_sent_default"));

        assertThatThrownBy(() -> keeper().build().start())
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("no DEFAULT partition", "PARTITION OF");
    }

    @Test
    void saysThatTheTableIsPartitionedByAnotherColumn() {
        execute("DROP TABLE " + table("_sent"));
        execute(
                "CREATE TABLE %s (id uuid, created_at timestamptz, delivered_at timestamptz) PARTITION BY RANGE (created_at)"
                        .formatted(table("_sent")));

        assertThatThrownBy(() -> keeper().build().start())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("BY RANGE (delivered_at)");
    }

    @Test
    void saysThatTheTableIsNotPartitionedByRange() {
        execute("DROP TABLE " + table("_sent"));
        execute("CREATE TABLE %s (delivered_at timestamptz) PARTITION BY HASH (delivered_at)"
                .formatted(table("_sent")));

        assertThatThrownBy(() -> keeper().build().start()).hasMessageContaining("BY RANGE (delivered_at)");
    }

    @Test
    void saysThatTheTableIsPlainOrMissing() {
        PartitionKeeper ofPlain = PartitionKeeper.builder(store("plain", AuditTrail.PLAIN), PartitionPeriod.DAY)
                .build();
        PartitionKeeper ofNone = PartitionKeeper.builder(store("none", AuditTrail.NONE), PartitionPeriod.DAY)
                .build();

        assertThatThrownBy(ofPlain::start).hasMessageContainingAll("plain table", "Cleanup");
        assertThatThrownBy(ofNone::start).hasMessageContainingAll("no audit trail", "PARTITIONED");
    }

    /** New connections, not those of the fixture's pool. */
    private static OutboxStore store(String prefix, AuditTrail audit) {
        return PostgresOutboxStore.builder(DATABASE.dataSource())
                .prefix(prefix)
                .lanes(4)
                .audit(audit)
                .schemaMode(SchemaMode.CREATE)
                .build();
    }

    /** Without a lock on the parent, the delivery would wait for the tail and be refused by it. */
    @Test
    void acceptsADeliveryThatWaitedForThePartitionOfItsTime() throws Exception {
        Connection other = fixture().dataSource().getConnection();
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute(
                    "INSERT INTO %s (lane, seq, id, topic, type, content_type, payload, created_at, delivered_at)"
                                    .formatted(table("_sent"))
                            + " VALUES (0, 1, gen_random_uuid(), 't', 'x', 'text/plain', '', now(), now())");
        }
        CompletableFuture<List<String>> created = CompletableFuture.supplyAsync(() ->
                keeper().lockTimeout(Duration.ofSeconds(20)).build().runOnce().created());
        awaitWaiting(1);
        CompletableFuture<Void> delivered = CompletableFuture.runAsync(() -> deliver("a"));
        awaitWaiting(2);

        other.commit();
        other.close();

        delivered.get(20, TimeUnit.SECONDS);
        assertThat(created.get(20, TimeUnit.SECONDS)).contains(name(day(0)));
        assertThat(rowsIn(name(day(0)))).isEqualTo(2);
    }

    private static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private void awaitWaiting(int sessions) throws SQLException, InterruptedException {
        String sql =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        try (Connection connection = fixture().dataSource().getConnection()) {
            while (!query(connection, sql).equals(String.valueOf(sessions))) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }
}
