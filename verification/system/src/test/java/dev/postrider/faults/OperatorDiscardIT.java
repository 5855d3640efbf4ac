package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.RowRef;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operator discards or retries dead letters while relays put some back and others die. */
class OperatorDiscardIT {

    /** So that what dies is not far behind what is written. */
    private static final Duration BETWEEN_WRITES = Duration.ofMillis(10);

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void letsNoDiscardedLetterComeBack(DatabaseUnderTest kind) throws SQLException {
        try (Scene scene = Scene.on(kind.shared())) {
            MessageId discarded = enqueue(scene);
            Broker broker = new Broker();
            try (Relay relay = Relay.withDefaults(scene.store(), broker)) {
                relay.start();
                Eventually.holds("the message is dead", () -> scene.tables().count("outbox_dead") == 1);
            }
            broker.rejects = false;
            scene.store().deadLetters().requestRetry(DeadLetterFilter.all(), 1, "operator");

            MessageId later;
            try (Connection discard = scene.database().dataSource().getConnection();
                    Relay relay = Relay.withDefaults(scene.store(), broker)) {
                discard.setAutoCommit(false);
                try (Statement statement = discard.createStatement()) {
                    statement.executeUpdate("DELETE FROM outbox_dead");
                }
                relay.start();
                Eventually.holds("the relay waits for the letter", () -> isAnybodyWaiting(kind, scene));
                discard.commit();
                later = enqueue(scene);
                Eventually.holds("a later message has arrived", () -> broker.delivered.contains(later));
            }

            assertThat(broker.delivered).containsExactly(later).doesNotContain(discarded);
            assertThat(scene.tables().isDrained()).isTrue();
        }
    }

    /** An operator acts on what was counted, while other messages die all the time. */
    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void touchesExactlyTheLettersThatWereCounted(DatabaseUnderTest kind) throws InterruptedException {
        try (Scene scene = Scene.on(kind.shared())) {
            DeadLetters letters = scene.store().deadLetters();
            Broker broker = new Broker();
            Set<MessageId> written = ConcurrentHashMap.newKeySet();
            AtomicBoolean isOver = new AtomicBoolean();
            Thread traffic = new Thread(() -> {
                while (!isOver.get()) {
                    written.add(enqueue(scene, "order-" + written.size()));
                    Eventually.pause(BETWEEN_WRITES);
                }
            });
            traffic.setDaemon(true);
            Set<MessageId> discarded;
            Set<MessageId> retried;
            try (Relay relay = Relay.withDefaults(scene.store(), broker)) {
                relay.start();
                traffic.start();
                discarded = actAmongOthers(scene, refs -> letters.discard(DeadLetterFilter.all(), refs, "operator"));
                retried = actAmongOthers(scene, refs -> {
                    refs.forEach(ref -> broker.accepted.add(ref.id()));
                    return letters.requestRetry(DeadLetterFilter.all(), refs, "operator");
                });
                isOver.set(true);
                traffic.join();
                Eventually.holds("those are delivered", () -> broker.delivered.size() >= retried.size());
                Eventually.holds(
                        "all others are dead",
                        () -> letters.count(DeadLetterFilter.all(), Long.MAX_VALUE)
                                == written.size() - discarded.size() - retried.size());
            }
            written.removeAll(discarded);
            written.removeAll(retried);
            assertThat(letters.refs(DeadLetterFilter.all(), Integer.MAX_VALUE).stream()
                            .map(RowRef::id))
                    .containsExactlyInAnyOrderElementsOf(written);
            assertThat(broker.delivered).containsExactlyInAnyOrderElementsOf(retried);
        }
    }

    /** Counts, waits until more have died, and acts on what was counted. */
    private static Set<MessageId> actAmongOthers(Scene scene, ToIntFunction<List<RowRef>> action) {
        DeadLetters letters = scene.store().deadLetters();
        Eventually.holds("there are some", () -> letters.count(DeadLetterFilter.all(), 20) == 20);
        List<RowRef> counted = letters.refs(DeadLetterFilter.all(), Integer.MAX_VALUE);
        Eventually.holds(
                "more have died", () -> letters.count(DeadLetterFilter.all(), Long.MAX_VALUE) > counted.size() + 20);
        assertThat(action.applyAsInt(counted)).isEqualTo(counted.size());
        return counted.stream().map(RowRef::id).collect(Collectors.toSet());
    }

    private static MessageId enqueue(Scene scene) {
        return enqueue(scene, "order-1");
    }

    private static MessageId enqueue(Scene scene, String key) {
        OutboxMessage message =
                OutboxMessage.builder(Scene.TOPIC).key(key).type("test").build();
        scene.outbox().inTransaction(scene.database().dataSource(), tx -> tx.enqueue(message));
        return message.id();
    }

    private static boolean isAnybodyWaiting(DatabaseUnderTest kind, Scene scene) throws SQLException {
        if (kind == DatabaseUnderTest.POSTGRES) {
            return isAnything(
                    scene,
                    "SELECT 'waits', COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND"
                            + " wait_event_type = 'Lock'");
        }
        // MySQL's table of transactions shows the same picture to whoever asks too often; its count is that of all
        // databases.
        return isAnything(
                        scene,
                        "SELECT 'runs', COUNT(*) FROM information_schema.processlist"
                                + " WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%outbox_dead%'")
                && isAnything(
                        scene,
                        Servers.isTidbForMysql()
                                ? "SELECT 'waits', COUNT(*) FROM information_schema.TIDB_TRX WHERE STATE = 'LockWaiting'"
                                : "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'");
    }

    private static boolean isAnything(Scene scene, String count) throws SQLException {
        try (Connection connection = scene.database().dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(count)) {
            return found.next() && found.getInt(2) > 0;
        }
    }

    /** Rejects everything at first. */
    private static final class Broker implements Destination {

        private final List<MessageId> delivered = new CopyOnWriteArrayList<>();
        private final Set<MessageId> accepted = ConcurrentHashMap.newKeySet();
        private volatile boolean rejects = true;

        @Override
        public String name() {
            return "broker";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            if (rejects && !accepted.contains(message.id())) {
                return CompletableFuture.completedFuture(DeliveryResult.reject("not today"));
            }
            delivered.add(message.id());
            return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(5);
        }
    }
}
