package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operator discards a dead letter at the moment at which a relay puts it back for a retry. */
class OperatorDiscardIT {

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

    private static MessageId enqueue(Scene scene) {
        OutboxMessage message =
                OutboxMessage.builder(Scene.TOPIC).key("order-1").type("test").build();
        scene.outbox().inTransaction(scene.database().dataSource(), tx -> tx.enqueue(message));
        return message.id();
    }

    private static boolean isAnybodyWaiting(DatabaseUnderTest kind, Scene scene) throws SQLException {
        // MySQL's table of transactions shows the same picture to whoever asks too often.
        String waiting = kind == DatabaseUnderTest.POSTGRES
                ? "SELECT 'waits', COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                : "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";
        try (Connection connection = scene.database().dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(waiting)) {
            return found.next() && found.getInt(2) > 0;
        }
    }

    /** Rejects everything at first. */
    private static final class Broker implements Destination {

        private final List<MessageId> delivered = new CopyOnWriteArrayList<>();
        private volatile boolean rejects = true;

        @Override
        public String name() {
            return "broker";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            if (rejects) {
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
