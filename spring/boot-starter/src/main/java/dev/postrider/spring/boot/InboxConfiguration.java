package dev.postrider.spring.boot;

import dev.postrider.Inbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.interceptor.TraceInterceptor;
import dev.postrider.micrometer.MessagingMetrics;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.InboxTables;
import dev.postrider.spi.InboxStore;
import dev.postrider.spi.ReceiverListener;
import dev.postrider.spi.TraceContext;
import dev.postrider.spring.SpringInbox;
import dev.postrider.spring.SubscriberFactory;
import dev.postrider.store.jdbc.InboxStoreBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;

/** Receiving: subscribers from the properties, and the inbox. Both are made when the first handler asks for them. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {

    private final PostriderProperties properties;
    private final ObjectProvider<MeterRegistry> registries;

    InboxConfiguration(PostriderProperties properties, ObjectProvider<MeterRegistry> registries) {
        this.properties = properties;
        this.registries = registries;
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    InboxStore inboxStore(OutboxParts parts, DataSource dataSource) {
        DatabaseKind kind = DatabaseKind.ofProduct(ProductName.of(dataSource));
        InboxStoreBuilder builder = InboxTables.builder(kind, dataSource);
        parts.tablesIn(dataSource).ifPresent(tables -> {
            builder.schemaMode(tables.schemaMode());
            tables.schemaName().ifPresent(builder::schema);
        });
        return builder.build();
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    Inbox inbox(InboxStore store) {
        return Inbox.over(store);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    SpringInbox springInbox(Inbox inbox, DataSource dataSource, PlatformTransactionManager transactions) {
        return SpringInbox.of(inbox, dataSource, transactions);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    SubscriberFactory postriderSubscribers(
            ApplicationBrokers brokers,
            CodecRegistry codecs,
            ObjectProvider<HandleInterceptor> interceptors,
            ObjectProvider<TraceContext> trace) {
        SubscriberFactory configured =
                new ConfiguredSubscribers(properties.subscriberSections(), brokers, codecs, this::conventions);
        return name -> {
            Subscriber.Builder subscriber = configured.subscriber(name);
            if (interceptors.stream().noneMatch(TraceInterceptor.class::isInstance)) {
                trace.ifUnique(tracing -> subscriber.intercept(new TraceInterceptor(tracing)));
            }
            interceptors.orderedStream().forEach(subscriber::intercept);
            return subscriber;
        };
    }

    private ReceiverListener conventions(String type) {
        MeterRegistry registry = registries.getIfAvailable();
        return registry != null && properties.hasMessagingConventions()
                ? new MessagingMetrics(registry, receiver -> type)
                : new ReceiverListener() {};
    }
}
