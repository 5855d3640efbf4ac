package dev.postrider.benchpeers;

import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.service.database.DatabaseKind;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith's event publication registry over JDBC: a row for each listener of an event, which runs after the commit from
 * memory. There is no relay: what a crash leaves behind waits until the application submits it again.
 */
final class ModulithPeer implements Peer {

    private static final int THREADS = 16;

    private static final Map<String, Object> SETTINGS = Map.of(
            "spring.modulith.events.jdbc.schema-initialization.enabled",
            true,
            "spring.modulith.events.completion-mode",
            "DELETE");

    @Override
    public String name() {
        return "modulith";
    }

    @Override
    public String settings() {
        return "completion mode delete, asynchronous listener without a transaction of its own, " + THREADS
                + " threads";
    }

    @Override
    public int divisor() {
        return 20;
    }

    @Override
    public boolean runsOn(DatabaseKind kind) {
        return Peer.super.runsOn(kind) || kind == DatabaseKind.MARIADB;
    }

    @Override
    public List<String> tables() {
        return List.of("EVENT_PUBLICATION");
    }

    @Override
    public PeerOutbox open(BenchDatabase database, Deliveries deliveries) {
        HoldingExecutor executor = new HoldingExecutor(THREADS);
        return new Opened(database, executor, start(database, deliveries, executor));
    }

    private static AnnotationConfigApplicationContext start(
            BenchDatabase database, Deliveries deliveries, HoldingExecutor executor) {
        return SpringContexts.open(Application.class, database, SETTINGS, NamastackPeer.AUTO_CONFIGURATIONS, beans -> {
            beans.registerBean("taskExecutor", TaskExecutor.class, () -> executor::execute);
            beans.registerBean("listener", Listener.class, () -> new Listener(deliveries));
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** What is published and stored. */
    record Event(String payload) {}

    /** Not final, because Spring makes a subclass of it. */
    static class Listener {

        private final Deliveries deliveries;

        Listener(Deliveries deliveries) {
            this.deliveries = deliveries;
        }

        @Async
        @TransactionalEventListener
        public void on(Event event) {
            deliveries.accept(event.payload());
        }
    }

    private record Opened(BenchDatabase database, HoldingExecutor executor, AnnotationConfigApplicationContext context)
            implements PeerOutbox {

        @Override
        public void enqueue(List<PeerMessage> messages) {
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(transaction ->
                            messages.forEach(message -> context.publishEvent(new Event(message.payload()))));
        }

        @Override
        public void deliver() {
            executor.open();
        }

        @Override
        public long pending() throws SQLException {
            return database.number("SELECT count(*) FROM EVENT_PUBLICATION WHERE COMPLETION_DATE IS NULL");
        }

        @Override
        public void close() {
            executor.close();
            context.close();
        }
    }

    /** To be left out where it is not the one to be measured. */
    static final List<String> AUTO_CONFIGURATIONS = List.of(
            "org.springframework.modulith.events.config.EventPublicationAutoConfiguration",
            "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration",
            "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration",
            "org.springframework.modulith.events.jackson.JacksonEventSerializationConfiguration",
            "org.springframework.modulith.events.jackson2.Jackson2EventSerializationConfiguration");
}
