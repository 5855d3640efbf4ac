package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.spi.AuditPartitions.Outcome;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.testkit.PartitionContract;
import dev.postrider.testkit.StoreFixture;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

@NotOnTidb("its audit trail has no partitions")
class MysqlPartitionsIT extends PartitionContract {

    private static final String ONLY_TAIL =
            "PARTITION BY RANGE COLUMNS (delivered_at) (PARTITION p_tail VALUES LESS THAN (MAXVALUE))";

    /** The server, by a pool whose connections have other defaults than usual. */
    TestServer server() {
        return TestServer.ODD_MYSQL;
    }

    @Override
    protected StoreFixture newFixture(StoreFixture.Setup setup) {
        MysqlFixture fixture =
                MysqlFixture.open(server(), setup, "parts", builder -> builder.audit(AuditTrail.PARTITIONED));
        run(fixture, "ALTER TABLE %s_sent %s".formatted(fixture.store().name(), ONLY_TAIL));
        return fixture;
    }

    private static void run(MysqlFixture fixture, String sql) {
        try {
            fixture.execute(sql);
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    @Override
    protected OutboxStore anotherInstance() {
        return MysqlOutboxStore.builder(fixture().dataSource())
                .prefix(fixture().store().name())
                .lanes(4)
                .audit(AuditTrail.PARTITIONED)
                .build();
    }

    @Override
    protected String table(String suffix) {
        return fixture().store().name() + suffix;
    }

    @Override
    protected String partition(String name) {
        return table("_sent") + " PARTITION (" + name + ")";
    }

    @Override
    protected String literal(Instant instant) {
        return "'" + PartitionCatalog.BOUND.format(instant) + "'";
    }

    @Override
    protected String literal(MessageId id) {
        return "UNHEX('" + id.toString().replace("-", "") + "')";
    }

    private void repartition(String partitions) {
        execute("ALTER TABLE %s %s".formatted(table("_sent"), partitions));
    }

    private static PartitionKeeper keeperOf(OutboxStore store) {
        return PartitionKeeper.builder(store, PartitionPeriod.DAY).build();
    }

    /** Ranges have no gaps here. */
    @Test
    void reachesDownToItsPredecessorAfterALongBreak() {
        Instant longAgo = day(-50);
        partitions()
                .create(new Partition("p_old", longAgo, longAgo.plus(1, ChronoUnit.DAYS)), Duration.ofSeconds(1), 0);
        addSent(day(-3));

        keeper().build().runOnce();

        assertThat(partitions().read().partitions().get(1))
                .isEqualTo(new Partition(name(day(0)), longAgo.plus(1, ChronoUnit.DAYS), day(1)));
        assertThat(rowsIn(name(day(0)))).isEqualTo(1);
    }

    @Test
    void deletesOldRowsOfTheTailAndKeepsRecentOnes() {
        addSent(day(-9));
        addSent(day(-8));
        deliver("recent");

        assertThat(keeper().retention(Duration.ofDays(2))
                        .maxMovedRows(0)
                        .build()
                        .runOnce()
                        .deletedFromTail())
                .isEqualTo(2);
        assertThat(fixture().kept()).hasSize(1);
    }

    @Test
    void readsBoundsWithFractionsOfASecond() {
        Instant odd = day(0).plus(1, ChronoUnit.MICROS);
        partitions().create(new Partition("odd", Instant.MIN, odd), Duration.ofSeconds(1), 0);

        assertThat(partitions().read().partitions()).containsExactly(new Partition("odd", Instant.MIN, odd));
    }

    @Test
    void leavesTheTimeOutsOfTheSessionAsTheyWere() throws SQLException {
        partitions().create(new Partition("one", Instant.MIN, day(0)), Duration.ofSeconds(7), 0);
        assertThat(partitions().drop(new Partition("one", Instant.MIN, day(0)), Duration.ofSeconds(7)))
                .isEqualTo(Outcome.DONE);

        for (int i = 0; i < 3; i++) {
            try (Connection connection = fixture().dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT @@SESSION.lock_wait_timeout = @@GLOBAL.lock_wait_timeout, @postrider_lock_wait")) {
                row.next();
                assertThat(row.getBoolean(1)).isTrue();
                assertThat(row.getString(2)).isNull();
            }
        }
    }

    @Test
    void saysThatTheTailIsMissing() {
        repartition("PARTITION BY RANGE COLUMNS (delivered_at) (PARTITION p1 VALUES LESS THAN ('2020-01-01'))");

        assertThatThrownBy(() -> keeper().build().start())
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("MAXVALUE", "ADD PARTITION");
    }

    @Test
    void saysThatTheTableIsPartitionedByAnotherColumn() {
        repartition("PARTITION BY RANGE (seq) (PARTITION p_tail VALUES LESS THAN (MAXVALUE))");

        assertThatThrownBy(() -> keeper().build().start())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("BY RANGE COLUMNS (delivered_at)");
    }

    @Test
    void saysThatTheTableIsNotPartitionedByRange() {
        repartition("PARTITION BY KEY (delivered_at) PARTITIONS 2");

        assertThatThrownBy(() -> keeper().build().start()).hasMessageContaining("BY RANGE COLUMNS (delivered_at)");
    }

    @Test
    void saysThatTheTableIsPlainOrMissing() {
        StoreFixture.Setup keeping = new StoreFixture.Setup(4, MessageLimits.defaults(), true);
        StoreFixture.Setup deleting = new StoreFixture.Setup(4, MessageLimits.defaults(), false);

        assertThatThrownBy(keeperOf(MysqlFixture.open(server(), keeping).store())::start)
                .hasMessageContainingAll("plain table", "Cleanup");
        assertThatThrownBy(keeperOf(MysqlFixture.open(server(), deleting).store())::start)
                .hasMessageContainingAll("no audit trail", "PARTITIONED");
    }
}
