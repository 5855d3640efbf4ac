package dev.postrider.spring.modulith;

import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventPublishers;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.postgres.PostgresOutboxStore;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.modulith.events.Externalized;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with Spring Modulith, its registry of publications and an outbox, in one database. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ModulithShop {

    /** Goes outside. */
    @Externalized("orders::#{#this.id()}")
    record OrderPlaced(String id, int number) {}

    /** Stays inside. */
    record StockReserved(String id) {}

    /** Inside of the application, for which the registry is there. */
    static class Inside {
        @TransactionalEventListener
        void on(StockReserved event) {
            throw new IllegalStateException("on purpose: the publication stays in the registry");
        }
    }

    static AnnotationConfigApplicationContext start(String url) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test", Map.of("spring.modulith.events.jdbc.schema-initialization.enabled", true)));
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        context.registerBean("dataSource", DataSource.class, () -> dataSource);
        context.register(ModulithShop.class, Inside.class);
        context.refresh();
        return context;
    }

    static void inTransaction(AnnotationConfigApplicationContext context, Consumer<TransactionTemplate> work) {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        transaction.executeWithoutResult(status -> work.accept(transaction));
    }

    /** Publishes in one transaction, and dies right after its commit. */
    public static void main(String[] arguments) {
        AnnotationConfigApplicationContext context = start(arguments[0]);
        inTransaction(context, transaction -> context.publishEvent(new OrderPlaced("killed", 1)));
        Runtime.getRuntime().halt(9);
    }

    @Bean
    OutboxStore store(DataSource dataSource) {
        return PostgresOutboxStore.builder(dataSource)
                .schemaMode(SchemaMode.CREATE)
                .build();
    }

    @Bean
    SpringOutbox outbox(OutboxStore store, DataSource dataSource) {
        return SpringOutbox.builder(Outbox.withDefaults(store), dataSource)
                .events(EventPublishers.builder(CodecRegistry.of(JsonCodec.withDefaults()))
                        .build())
                .build();
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }
}
