package dev.postrider.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.database.TableProbe;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Users with the grants of docs/guides/privileges.md, as they stand there, can do their work and nothing else. */
@Timeout(120)
class PrivilegesIT {

    private static final Guide GUIDE = Guide.read("privileges.md");
    private static final Map<DatabaseKind, GuideUsers> USERS = new EnumMap<>(DatabaseKind.class);

    private static GuideUsers users(DatabaseKind kind) {
        GuideDatabase.skipWithoutTidb(kind);
        return USERS.computeIfAbsent(kind, wanted -> GuideUsers.create(wanted, GUIDE, settings(wanted)));
    }

    private static StoreSettings settings(DatabaseKind kind) {
        return new StoreSettings().audit(kind == DatabaseKind.TIDB ? AuditTrail.PLAIN : AuditTrail.PARTITIONED);
    }

    @AfterAll
    static void dropUsers() {
        USERS.values().forEach(GuideUsers::close);
        USERS.clear();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "TIDB"})
    void aWriterEnqueuesAndCanDoNothingElse(DatabaseKind kind) {
        GuideUsers users = users(kind);
        users.empty();
        OutboxStore store = users.open("app_writer", settings(kind));
        Outbox outbox = Outbox.withDefaults(store);

        outbox.inTransaction(users.dataSource("app_writer"), tx -> {
            tx.enqueue(message("plain"));
            tx.enqueue(OutboxMessage.builder("orders")
                    .key("delayed")
                    .type("t")
                    .deliverAfter(Duration.ofMillis(1))
                    .build());
            tx.enqueue(OutboxMessage.builder("orders")
                    .key("once")
                    .type("t")
                    .dedupKey("d")
                    .build());
        });
        outbox.inTransaction(
                users.dataSource("app_writer"),
                tx -> tx.enqueue(OutboxMessage.builder("orders")
                        .key("once")
                        .type("t")
                        .dedupKey("d")
                        .build()));

        assertThat(users.count("outbox")).isEqualTo(2);
        assertThat(users.count("outbox_delayed")).isOne();
        for (String table : List.of("outbox", "outbox_lane", "outbox_dead", "outbox_sent", "outbox_dedup")) {
            assertRefused(users, "app_writer", "SELECT * FROM " + table);
            assertRefused(users, "app_writer", "DELETE FROM " + table);
        }
        assertRefused(users, "app_writer", "UPDATE outbox_meta SET name = name");
        if (kind != DatabaseKind.TIDB) {
            assertRefused(
                    users, "app_writer", "INSERT INTO outbox (seq, topic, type, payload) VALUES (1, 't', 't', '')");
        }
        assertNoDdl(users, "app_writer");
    }

    private static OutboxMessage message(String key) {
        return OutboxMessage.builder("orders").key(key).type("t").build();
    }

    private static void assertNoDdl(GuideUsers users, String user) {
        for (String ddl : List.of(
                "CREATE TABLE mine (id INT)",
                "DROP TABLE outbox_dead",
                "ALTER TABLE outbox ADD COLUMN extra INT",
                "TRUNCATE TABLE outbox_held")) {
            assertRefused(users, user, ddl);
        }
    }

    private static void assertRefused(GuideUsers users, String user, String sql) {
        assertThatThrownBy(() -> users.execute(user, sql))
                .as("%s: %s", user, sql)
                .isInstanceOf(SQLException.class)
                .hasMessageMatching("(?si).*(denied|privilege check|must be owner|cannot insert a non-default).*");
    }

    /** Delivered, retried, given up, retried by an operator, delayed: everything that a relay ever does. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "TIDB"})
    void aRelayDoesAllItsWorkAndNoDdl(DatabaseKind kind) throws InterruptedException {
        GuideUsers users = users(kind);
        users.empty();
        OutboxStore store = users.open("app_relay", settings(kind));
        assertThat(new TableProbe(users.dataSource("app_relay"), settings(kind)).problems(true))
                .isEmpty();
        Failures failures = new Failures();
        Moody destination = new Moody();
        OutboxStore owner = users.open(GuideUsers.OWNER, settings(kind));
        Outbox outbox = Outbox.withDefaults(owner);
        try (Relay relay = Relay.builder(store, destination)
                .housekeepingInterval(Duration.ofMillis(50))
                .sweepInterval(Duration.ofMillis(50))
                .listener(failures)
                .build()) {
            relay.start();
            outbox.inTransaction(users.dataSource(GuideUsers.OWNER), tx -> {
                tx.enqueue(message("good"));
                tx.enqueue(message("retry"));
                tx.enqueue(message("bad"));
                tx.enqueue(message("bad"));
                tx.enqueue(OutboxMessage.builder("orders")
                        .key("delayed")
                        .type("t")
                        .deliverAfter(Duration.ofMillis(50))
                        .build());
            });
            await(() -> users.count("outbox_sent") == 3 && users.count("outbox_dead") == 2, failures);
            destination.isHealed = true;
            assertThat(owner.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "test"))
                    .isPositive();
            await(() -> users.count("outbox_sent") == 5 && store.stats().undelivered() == 0, failures);
        }

        assertThat(failures.seen).isEmpty();
        assertThat(owner.leases().lanes()).noneMatch(lane -> lane.isOwned());
        assertNoDdl(users, "app_relay");
        assertRefused(users, "app_relay", "DELETE FROM outbox_sent");
        assertRefused(users, "app_relay", "DELETE FROM outbox_operation");
        assertRefused(users, "app_relay", "UPDATE outbox_meta SET name = name");
    }

    private static void await(BooleanSupplier condition, Failures failures) throws InterruptedException {
        for (int i = 0; i < 600 && !condition.getAsBoolean() && failures.seen.isEmpty(); i++) {
            Thread.sleep(50);
        }
        assertThat(failures.seen).isEmpty();
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
    void aMaintainerCleansUpAndKeepsPartitions(DatabaseKind kind) throws SQLException {
        GuideUsers users = users(kind);
        users.empty();
        leaveOldRows(users);
        OutboxStore store = users.open("app_maintainer", settings(kind));
        try (PartitionKeeper keeper = PartitionKeeper.builder(store, PartitionPeriod.DAY)
                        .lookahead(Duration.ofDays(2))
                        .build();
                Cleanup cleanup = Cleanup.builder(store, Duration.ofMillis(1))
                        .includeDead()
                        .dedupRetention(Duration.ofMillis(1))
                        .build()) {
            List<String> created = keeper.runOnce().created();
            assertThat(created).hasSizeGreaterThan(1);
            users.execute("app_maintainer", dropPartition(kind, created.get(created.size() - 1)));
            assertThat(cleanup.runOnce().deadLetters()).isOne();
        }
        assertThat(users.count("outbox_dead")).isZero();
        assertThat(users.count("outbox_dedup")).isZero();
        TableProbe probe = new TableProbe(users.dataSource("app_maintainer"), settings(kind));
        assertThat(probe.maintenanceProblems(true)).isEmpty();
        assertThat(probe.problems(true)).isNotEmpty();

        assertRefused(users, "app_maintainer", "SELECT * FROM outbox");
        assertRefused(users, "app_maintainer", "DELETE FROM outbox_held");
        assertRefused(users, "app_maintainer", "DROP TABLE outbox_dead");
    }

    private static String dropPartition(DatabaseKind kind, String name) {
        return kind == DatabaseKind.POSTGRES
                ? "DROP TABLE \"" + name + '"'
                : "ALTER TABLE outbox_sent DROP PARTITION " + name;
    }

    /** A dead letter, and a used dedup key. */
    private static void leaveOldRows(GuideUsers users) {
        OutboxStore owner = users.open(GuideUsers.OWNER, settings(users.kind()));
        Outbox.withDefaults(owner)
                .inTransaction(
                        users.dataSource(GuideUsers.OWNER),
                        tx -> tx.enqueue(OutboxMessage.builder("orders")
                                .key("bad")
                                .type("t")
                                .dedupKey("old")
                                .build()));
        Relay.withDefaults(owner, new Moody()).drainOnce();
        assertThat(users.count("outbox_dead")).isOne();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "TIDB"})
    void anOperatorLooksRetriesDiscardsAndPauses(DatabaseKind kind) {
        GuideUsers users = users(kind);
        users.empty();
        leaveOldRows(users);
        leaveBlockedKey(users);
        OutboxStore store = users.open("app_operator", settings(kind));

        assertThat(store.stats().dead()).isOne();
        assertThat(store.leases().lanes()).hasSize(16);
        assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "alice"))
                .isOne();
        assertThat(store.unblock(Optional.of("bad-2"), "alice")).isOne();
        store.pauses().pause("test", "alice");
        store.pauses().resume("test", "alice");
        assertThat(store.deadLetters().discard(DeadLetterFilter.all(), 10, "alice"))
                .isOne();

        assertRefused(users, "app_operator", "DELETE FROM outbox");
        if (kind != DatabaseKind.TIDB) {
            assertRefused(users, "app_operator", "UPDATE outbox_lane SET epoch = 0");
        }
        assertRefused(users, "app_operator", "DELETE FROM outbox_operation");
        assertNoDdl(users, "app_operator");
    }

    private static void leaveBlockedKey(GuideUsers users) {
        OutboxStore owner = users.open(GuideUsers.OWNER, settings(users.kind()));
        Outbox.withDefaults(owner)
                .inTransaction(users.dataSource(GuideUsers.OWNER), tx -> tx.enqueue(message("bad-2")));
        Relay.builder(owner, new Moody())
                .onExhausted(OnExhausted.BLOCK_KEY)
                .build()
                .drainOnce();
    }

    /** Delivers, but fails once on one key, and rejects another until it is healed. */
    private static final class Moody implements Destination {

        private volatile boolean isHealed;
        private volatile boolean hasFailed;

        @Override
        public String name() {
            return "test";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            return CompletableFuture.completedFuture(judge(message.key().orElse("")));
        }

        private DeliveryResult judge(String key) {
            if (key.startsWith("bad") && !isHealed) {
                return DeliveryResult.reject("bad");
            }
            if (key.equals("retry") && !hasFailed) {
                hasFailed = true;
                return DeliveryResult.retry("once");
            }
            return DeliveryResult.DELIVERED;
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }

    /** What the database refused. */
    private static final class Failures implements RelayListener {

        private final Queue<String> seen = new ConcurrentLinkedQueue<>();

        @Override
        public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
            seen.add(operation + ": " + failure.getMessage() + ": " + failure.getCause());
        }

        @Override
        public void crashed(String part, Throwable failure) {
            seen.add(part + ": " + failure);
        }
    }
}
