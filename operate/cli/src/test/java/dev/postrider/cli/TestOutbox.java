package dev.postrider.cli;

import dev.postrider.Outbox;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.h2.jdbcx.JdbcDataSource;

/** An outbox in a database in memory, which the commands of a {@link Shell} reach by its address. */
final class TestOutbox {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final JdbcDataSource dataSource = new JdbcDataSource();
    private final OutboxStore store;

    TestOutbox(AuditTrail audit) {
        dataSource.setURL(url);
        this.store = H2OutboxStore.builder(dataSource)
                .lanes(4)
                .audit(audit)
                .schemaMode(SchemaMode.CREATE)
                .build();
    }

    String url() {
        return url;
    }

    OutboxStore store() {
        return store;
    }

    /** As somebody else might write. */
    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Writes messages of this topic, with keys {@code key-0}, {@code key-1} and so on. */
    List<MessageId> write(String topic, int count) {
        Outbox outbox = Outbox.withDefaults(store);
        List<MessageId> ids = new ArrayList<>();
        outbox.inTransaction(dataSource, tx -> {
            for (int i = 0; i < count; i++) {
                var message = outbox.message(topic)
                        .key("key-" + i)
                        .type("test." + topic)
                        .header("token", "hidden header")
                        .json("{\"card\": \"hidden payload\"}")
                        .build();
                tx.enqueue(message);
                ids.add(message.id());
            }
        });
        return ids;
    }

    /** Writes messages with ids that somebody else chose. */
    List<MessageId> write(MessageId... ids) {
        Outbox outbox = Outbox.withDefaults(store);
        outbox.inTransaction(dataSource, tx -> {
            for (MessageId id : ids) {
                tx.enqueue(outbox.message("users").id(id).type("test.users").build());
            }
        });
        return List.of(ids);
    }

    /** Delivers everything, with this answer of the destination. */
    void drain(DeliveryResult answer, OnExhausted onExhausted, int maxAttempts) {
        Relay.builder(store, new Answering(answer))
                .onExhausted(onExhausted)
                .maxAttempts(maxAttempts)
                // Long enough that no second attempt belongs to the same run.
                .backoff(Backoff.constant(Duration.ofHours(1)))
                .build()
                .drainOnce();
    }

    /** Makes dead letters of all that is undelivered. */
    void rejectAll() {
        drain(DeliveryResult.reject("refused by \u001b[31mthe broker"), OnExhausted.DEAD_LETTER, 1);
    }

    void deliverAll() {
        drain(DeliveryResult.DELIVERED, OnExhausted.DEAD_LETTER, 1);
    }

    private record Answering(DeliveryResult answer) implements Destination {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            return CompletableFuture.completedFuture(answer);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
