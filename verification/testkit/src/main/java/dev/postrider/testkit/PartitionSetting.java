package dev.postrider.testkit;

import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionKeeperBuilder;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.MessageLimits;
import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.AuditPartitions.Outcome;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RowOutcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An outbox with a partitioned audit trail, and what the parts of {@link PartitionContract} do with it. */
abstract class PartitionSetting {

    static final Duration LOCK_TIMEOUT = Duration.ofSeconds(1);
    static final Duration DAY = Duration.ofDays(1);
    private static final DateTimeFormatter DAY_LABEL =
            DateTimeFormatter.ofPattern("'p'yyyyMMdd").withZone(ZoneOffset.UTC);

    StoreFixture fixture;
    StoreDriver driver;

    PartitionSetting() {}

    /** An outbox of this kind, with a partitioned audit trail. */
    protected abstract StoreFixture newFixture(StoreFixture.Setup setup);

    /** A further store of the same outbox, as another process would have it. */
    protected abstract OutboxStore anotherInstance();

    /** The quoted name of the table with this suffix, such as {@code "outbox_sent"} for {@code _sent}. */
    protected abstract String table(String suffix);

    /** One partition of the audit trail as it stands after FROM. */
    protected abstract String partition(String name);

    protected abstract String literal(Instant instant);

    protected abstract String literal(MessageId id);

    @BeforeEach
    final void openFixture() {
        fixture = newFixture(new StoreFixture.Setup(4, MessageLimits.defaults(), true));
        driver = new StoreDriver(fixture);
    }

    @AfterEach
    final void closeFixture() {
        fixture.close();
    }

    /** The fixture of the running test. */
    protected final StoreFixture fixture() {
        return fixture;
    }

    protected final AuditPartitions partitions() {
        return fixture.store().maintenance().partitions().orElseThrow();
    }

    protected final PartitionKeeperBuilder keeper() {
        return PartitionKeeper.builder(fixture.store(), PartitionPeriod.DAY)
                .lookahead(DAY)
                .lockTimeout(LOCK_TIMEOUT);
    }

    /** The start of the day {@code offset} days from now, by the database's clock. */
    protected final Instant day(int offset) {
        return partitions().read().databaseTime().truncatedTo(ChronoUnit.DAYS).plus(offset, ChronoUnit.DAYS);
    }

    /** The name of the partition of the day that begins then. */
    protected final String name(Instant day) {
        return partitions().read().namePrefix() + DAY_LABEL.format(day);
    }

    final Outcome createDay(int offset) {
        Instant day = day(offset);
        return partitions()
                .create(new Partition(name(day), day, day.plus(1, ChronoUnit.DAYS)), LOCK_TIMEOUT, 1_000_000);
    }

    final List<String> names() {
        return partitions().read().partitions().stream().map(Partition::name).toList();
    }

    final String tail() {
        return partitions().read().tail();
    }

    /** Enqueues a message for each key and records its delivery. */
    protected final void deliver(String... keys) {
        for (String key : keys) {
            driver.commit(StoreDriver.message(key));
        }
        driver.apply(driver.hotRows().stream()
                .map(row -> RowOutcome.hot(row.ref(), new RowOutcome.Delivered()))
                .toArray(RowOutcome[]::new));
    }

    /** Adds a message to the audit trail as if it had been delivered then. */
    protected final void addSent(Instant deliveredAt) {
        execute("INSERT INTO %s (lane, seq, id, topic, type, content_type, payload, created_at, delivered_at)"
                        .formatted(table("_sent"))
                + " VALUES (0, 1, %s, 't', 'x', 'text/plain', 'text', %2$s, %2$s)"
                        .formatted(literal(MessageIdGenerator.uuidV7().next()), literal(deliveredAt)));
    }

    protected final long rowsIn(String partition) {
        return count(partition(partition));
    }

    private long count(String source) {
        try (Connection connection = fixture.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + source)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    protected final void execute(String sql) {
        try (Connection connection = fixture.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute(sql);
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    /** A transaction that has read the whole audit trail and stays open; it locks no rows. */
    final Connection openReader() throws SQLException {
        Connection reader = fixture.dataSource().getConnection();
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        reader.setAutoCommit(false);
        try (Statement statement = reader.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table("_sent"))) {
            rows.next();
        }
        return reader;
    }
}
