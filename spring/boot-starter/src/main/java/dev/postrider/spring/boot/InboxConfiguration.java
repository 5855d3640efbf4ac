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
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;

/** Receiving: subscribers from the properties, and the inbox. Both are made when the first handler asks for them. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {

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
            PostriderProperties properties,
            ApplicationBrokers brokers,
            CodecRegistry codecs,
            ObjectProvider<HandleInterceptor> interceptors,
            ObjectProvider<TraceContext> trace,
            ObjectProvider<MeterRegistry> registries) {
        SubscriberFactory configured = new ConfiguredSubscribers(
                properties.subscriberSections(),
                brokers,
                codecs,
                type -> conventions(properties, registries.getIfAvailable(), type));
        return name -> {
            Subscriber.Builder subscriber = configured.subscriber(name);
            if (interceptors.stream().noneMatch(TraceInterceptor.class::isInstance)) {
                trace.ifUnique(tracing -> subscriber.intercept(new TraceInterceptor(tracing)));
            }
            interceptors.orderedStream().forEach(subscriber::intercept);
            return subscriber;
        };
    }

    private static ReceiverListener conventions(
            PostriderProperties properties, @Nullable MeterRegistry registry, String type) {
        return registry != null && properties.hasMessagingConventions()
                ? new MessagingMetrics(registry, receiver -> type)
                : new ReceiverListener() {};
    }
}
