package dev.postrider.examples.owndestination;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.h2.jdbcx.JdbcDataSource;

/**
 * A destination of one's own: messages are posted to a web hook.
 *
 * <p>The first request meets a busy server and is repeated, with its key waiting; one message is refused for good and becomes a
 * dead letter.
 */
public final class OwnDestination {

    private OwnDestination() {}

    public static void main(String[] args) throws Exception {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:own-destination;DB_CLOSE_DELAY=-1");
        OutboxStore store =
                H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
        Outbox outbox = Outbox.withDefaults(store);
        outbox.inTransaction(
                dataSource,
                tx -> tx.enqueue(message("placed"), message("paid"), message("cancelled"), message("sent")));

        try (Receiver receiver = new Receiver(4);
                Destination webhook = new WebhookDestination(receiver.address());
                Relay relay = Relay.withDefaults(store, webhook)) {
            relay.start();
            receiver.awaitDecisions();
        }
        outbox.deadLetters()
                .list(DeadLetterFilter.all(), Optional.empty(), 10)
                .forEach(letter -> System.out.println("given up: " + letter.reason() + ", " + letter.error()));
    }

    private static OutboxMessage message(String step) {
        return OutboxMessage.builder("orders")
                .key("order-7")
                .type("OrderChanged")
                .contentType("text/plain")
                .payload(("order-7 " + step).getBytes(StandardCharsets.UTF_8))
                .build();
    }
}
