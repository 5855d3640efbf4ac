package dev.postrider.benchpeers;

import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.service.database.DatabaseKind;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** namastack-outbox with its JDBC starter, set up as in its own performance test. */
final class NamastackPeer implements Peer {

    private static final Map<String, Object> SETTINGS = Map.of(
            "namastack.outbox.polling.batch-size",
            1000,
            "namastack.outbox.polling.fixed.interval",
            "100ms",
            "namastack.outbox.processing.executor-core-pool-size",
            16,
            "namastack.outbox.processing.executor-max-pool-size",
            32,
            "namastack.outbox.instance.rebalance-interval",
            "1s",
            "namastack.outbox.multicaster.enabled",
            false);

    @Override
    public String name() {
        return "namastack";
    }

    @Override
    public String settings() {
        return "1000 keys a poll, polling every 100 ms, 16 to 32 threads, rebalancing every second, no multicaster";
    }

    @Override
    public boolean runsOn(DatabaseKind kind) {
        return Peer.super.runsOn(kind) || kind == DatabaseKind.MARIADB;
    }

    @Override
    public List<String> tables() {
        return List.of("outbox_record", "outbox_instance", "outbox_partition");
    }

    @Override
    public PeerOutbox open(BenchDatabase database, Deliveries deliveries) {
        return new Opened(database, deliveries);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** What is stored. */
    record Event(String payload) {}

    record Handler(Deliveries deliveries) implements OutboxTypedHandler<Event> {
        @Override
        public void handle(Event event, OutboxRecordMetadata metadata) {
            deliveries.accept(event.payload());
        }
    }

    /** Two applications, one after the other: the first polls next in an hour, so that a backlog grows. */
    private static final class Opened implements PeerOutbox {

        private final BenchDatabase database;
        private final Deliveries deliveries;
        private AnnotationConfigApplicationContext context;

        Opened(BenchDatabase database, Deliveries deliveries) {
            this.database = database;
            this.deliveries = deliveries;
            this.context = start(Map.of("namastack.outbox.polling.fixed.interval", "1h"));
        }

        private AnnotationConfigApplicationContext start(Map<String, Object> properties) {
            return SpringContexts.open(
                    Application.class,
                    database,
                    properties,
                    ModulithPeer.AUTO_CONFIGURATIONS,
                    beans -> beans.registerBean("handler", Handler.class, () -> new Handler(deliveries)));
        }

        @Override
        public void enqueue(List<PeerMessage> messages) {
            Outbox outbox = context.getBean(Outbox.class);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(transaction ->
                            messages.forEach(message -> outbox.schedule(new Event(message.payload()), message.key())));
        }

        @Override
        public void deliver() {
            context.close();
            context = start(SETTINGS);
        }

        @Override
        public long pending() throws SQLException {
            return database.number("SELECT count(*) FROM outbox_record WHERE status <> 'COMPLETED'");
        }

        @Override
        public void close() {
            context.close();
        }
    }

    /** To be left out where it is not the one to be measured. */
    static final List<String> AUTO_CONFIGURATIONS = List.of(
            "io.namastack.outbox.config.JdbcOutboxAutoConfiguration",
            "io.namastack.outbox.config.JdbcOutboxSchemaAutoConfiguration",
            "io.namastack.outbox.config.OutboxCoreInfrastructureAutoConfiguration",
            "io.namastack.outbox.config.OutboxCoreThreadingAutoConfiguration",
            "io.namastack.outbox.config.OutboxCoreProcessingAutoConfiguration",
            "io.namastack.outbox.config.OutboxCoreSchedulingAutoConfiguration",
            "io.namastack.outbox.config.OutboxCoreMulticasterAutoConfiguration",
            "io.namastack.outbox.OutboxJacksonAutoConfiguration");
}
