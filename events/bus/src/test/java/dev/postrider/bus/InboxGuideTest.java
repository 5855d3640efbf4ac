package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Inbox;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.destination.memory.MemoryReceiver;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Subscription;
import dev.postrider.store.h2.H2InboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stands between "snippet" and "end" stands in docs/guides/inbox.md as well; SnippetsTest compares. */
@Timeout(60)
class InboxGuideTest {

    record OrderPlaced(String number) {}

    private static final EventType<OrderPlaced> ORDER_PLACED = EventType.of("shop.v1.OrderPlaced", OrderPlaced.class);

    private final JdbcConnectionPool dataSource =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
    private final BlockingQueue<Boolean> runs = new LinkedBlockingQueue<>();

    @BeforeEach
    void createTable() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.createStatement().execute("CREATE TABLE invoice (number VARCHAR(20))");
        }
    }

    @AfterEach
    void close() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.createStatement().execute("SHUTDOWN");
        }
        dataSource.dispose();
    }

    @Test
    void acknowledgesADuplicateWithoutRunningTheHandlerAgain() throws Exception {
        // snippet: inbox
        Inbox inbox = Inbox.over(
                H2InboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build());
        // end
        MemoryDestination broker = MemoryDestination.named("broker");
        MemoryReceiver receiver = broker.receiver("billing");
        Subscriber subscriber = Subscriber.builder("billing", receiver, CodecRegistry.of(JsonCodec.withDefaults()))
                .build();
        // snippet: handler
        subscriber.register(ORDER_PLACED, (order, context) -> {
            boolean isNew = inbox.inTransaction(
                    dataSource,
                    context.subscriber(),
                    context.message(),
                    connection -> insertInvoice(connection, order.number()));
            runs.add(isNew);
        });
        // end
        subscriber.start();
        OutboxMessage message = OutboxMessage.builder("orders")
                .type(ORDER_PLACED.name())
                .header("ce_source", "/shop")
                .key("17")
                .json("{\"number\":\"17\"}")
                .build();
        try (subscriber) {
            broker.send(message);
            broker.send(message);

            assertThat(runs.poll(30, TimeUnit.SECONDS)).isTrue();
            assertThat(runs.poll(30, TimeUnit.SECONDS)).isFalse();
        }
        assertThat(invoices()).isEqualTo(1);
        assertThat(receiver.parked()).isEmpty();
        assertThat(redelivered(broker)).as("both were acknowledged").isNull();
        broker.close();
    }

    /** What was not acknowledged would go to the next member of the group. */
    private static OutboxMessage redelivered(MemoryDestination broker) throws InterruptedException {
        BlockingQueue<OutboxMessage> left = new LinkedBlockingQueue<>();
        try (MemoryReceiver next = broker.receiver("billing")) {
            next.start(Subscription.toAll("billing"), delivery -> left.add(delivery.message()));
            return left.poll(200, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void joinsATransactionThatIsOpenAndForgetsAfterAWhile() throws SQLException {
        Inbox inbox = Inbox.over(
                H2InboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build());
        OutboxMessage message =
                OutboxMessage.builder("orders").type("t").key("17").build();
        // snippet: process
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            inbox.process(connection, "billing", message, same -> insertInvoice(same, "17"));
            connection.commit();
        }
        // end
        assertThat(invoices()).isEqualTo(1);

        // snippet: clean-up
        long forgotten = inbox.cleanUp(Inbox.DEFAULT_RETENTION);
        // end
        assertThat(forgotten).isZero();
        assertThat(inbox.cleanUp(Duration.ZERO)).isEqualTo(1);
    }

    private static void insertInvoice(Connection connection, String number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO invoice (number) VALUES (?)")) {
            insert.setString(1, number);
            insert.executeUpdate();
        }
    }

    private int invoices() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                ResultSet count = connection.createStatement().executeQuery("SELECT count(*) FROM invoice")) {
            count.next();
            return count.getInt(1);
        }
    }
}
