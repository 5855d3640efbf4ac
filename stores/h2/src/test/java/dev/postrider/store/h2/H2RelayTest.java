package dev.postrider.store.h2;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RecordingDestination;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay over H2, as in the demo. */
class H2RelayTest {

    private static final int MESSAGES = 3_000;

    private final RecordingDestination broker = new RecordingDestination("broker");

    @Test
    void drainsAMemoryDatabaseInOrder() {
        drain("jdbc:h2:mem:drain");
    }

    @Test
    void drainsAFileInOrder(@TempDir Path directory) {
        drain("jdbc:h2:file:" + directory.resolve("outbox"));
    }

    private void drain(String url) {
        JdbcConnectionPool pool = JdbcConnectionPool.create(url, "", "");
        try {
            OutboxStore store =
                    H2OutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build();
            List<OutboxMessage> committed = write(pool, Outbox.withDefaults(store));
            try (Relay relay = Relay.withDefaults(store, broker)) {
                relay.start();
                broker.awaitDelivered(MESSAGES, Duration.ofMinutes(1));
            }
            assertThatDeliveries(broker.delivered())
                    .lackNothingOf(committed)
                    .containNothingBut(committed)
                    .keepTheOrderOf(committed)
                    .haveNoDuplicates();
            assertThat(store.stats().undelivered()).isZero();
        } finally {
            pool.dispose();
        }
    }

    private static List<OutboxMessage> write(JdbcConnectionPool pool, Outbox outbox) {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            messages.add(outbox.message("orders")
                    .key("customer-" + i % 500)
                    .type("placed")
                    .payload(new byte[200])
                    .build());
        }
        outbox.inTransaction(pool, transaction -> transaction.enqueue(messages.toArray(OutboxMessage[]::new)));
        return messages;
    }
}
