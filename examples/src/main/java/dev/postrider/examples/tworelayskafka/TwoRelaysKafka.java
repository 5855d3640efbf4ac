package dev.postrider.examples.tworelayskafka;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.Outbox;
import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.postgres.PostgresOutboxStore;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Two relays share an outbox in PostgreSQL; one stops while events are being written, and the other takes over its lanes. A
 * consumer counts what arrives in Kafka.
 *
 * <pre>{@code
 * TwoRelaysKafka jdbc:postgresql://localhost/app user password localhost:9092
 * }</pre>
 */
public final class TwoRelaysKafka {

    private static final int ORDERS = 60;
    private static final List<String> EVENTS = List.of("OrderPlaced", "OrderPaid", "OrderSent");

    private final String servers;
    private final String topic = "orders-" + UUID.randomUUID();
    private final DataSource dataSource;
    private final OutboxStore store;

    private TwoRelaysKafka(DataSource dataSource, String servers) {
        this.dataSource = dataSource;
        this.servers = servers;
        this.store = PostgresOutboxStore.builder(dataSource)
                .schemaMode(SchemaMode.CREATE)
                .build();
    }

    public static void main(String[] args) throws InterruptedException {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(args[0]);
            pool.setUsername(args[1]);
            pool.setPassword(args[2]);
            new TwoRelaysKafka(pool, args[3]).run();
        }
    }

    private void run() throws InterruptedException {
        try (KafkaDestination kafka = kafka();
                Relay staying = Relay.withDefaults(store, kafka)) {
            staying.start();
            writeBesideAnotherRelay();
            awaitOwners(1);
            System.out.println("one has stopped, the other has taken over its lanes");
            writeAll("OrderPaid");
            writeAll("OrderSent");
            Arrivals arrivals = Arrivals.read(servers, topic, ORDERS * EVENTS.size());
            System.out.println("consumed %d events of %d orders, %d twice, %d out of order"
                    .formatted(arrivals.distinct(), ORDERS, arrivals.duplicates(), arrivals.outOfOrder(EVENTS)));
        }
    }

    /** In real life it would be another process. */
    private void writeBesideAnotherRelay() throws InterruptedException {
        try (KafkaDestination kafka = kafka();
                Relay leaving = Relay.withDefaults(store, kafka)) {
            leaving.start();
            awaitOwners(2);
            System.out.println("two relays share " + store.laneCount() + " lanes");
            writeAll("OrderPlaced");
        }
    }

    private KafkaDestination kafka() {
        return KafkaDestination.builder("kafka", servers).createTopics(4, 1).build();
    }

    /** One transaction for each order, as a service would have it. */
    private void writeAll(String event) {
        Outbox outbox = Outbox.withDefaults(store);
        for (int order = 0; order < ORDERS; order++) {
            OutboxMessage message = outbox.message(topic)
                    .key("order-" + order)
                    .type(event)
                    .json("{}")
                    .build();
            outbox.inTransaction(dataSource, tx -> tx.enqueue(message));
        }
    }

    /** Waits until every lane has an owner, and there are {@code wanted} owners. */
    private void awaitOwners(int wanted) throws InterruptedException {
        while (!isSharedBy(wanted)) {
            Thread.sleep(50);
        }
    }

    private boolean isSharedBy(int wanted) {
        List<LaneState> lanes = store.leases().lanes();
        return lanes.stream().allMatch(LaneState::isOwned)
                && lanes.stream().map(LaneState::owner).distinct().count() == wanted;
    }
}
