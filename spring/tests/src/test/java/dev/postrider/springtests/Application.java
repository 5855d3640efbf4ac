package dev.postrider.springtests;

import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.PublishOptions;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.spring.EnablePostrider;
import dev.postrider.spring.SpringInbox;
import dev.postrider.spring.SpringOutbox;
import java.util.Map;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** What an application without Spring Boot configures. */
@Configuration(proxyBeanMethods = false)
@EnablePostrider
@EnableTransactionManagement(proxyTargetClass = true)
class Application {

    /** A context over this shop, with these beans. */
    static AnnotationConfigApplicationContext start(Shop shop, Class<?>... beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("orders.topic", "configured-orders")));
        context.registerBean("shop", Shop.class, () -> shop, definition -> definition.setDestroyMethodName(""));
        context.register(Application.class);
        context.register(beans);
        context.refresh();
        return context;
    }

    @Bean
    static PropertySourcesPlaceholderConfigurer placeholders() {
        return new PropertySourcesPlaceholderConfigurer();
    }

    @Bean
    PlatformTransactionManager transactionManager(Shop shop) {
        return new JdbcTransactionManager(shop.pool);
    }

    @Bean
    CodecRegistry codecs() {
        return CodecRegistry.of(JsonCodec.withDefaults());
    }

    @Bean
    SpringOutbox outbox(Shop shop, CodecRegistry codecs, ConfigurableBeanFactory beans) {
        return SpringOutbox.builder(shop.outbox, shop.pool)
                .events(EventPublishers.builder(codecs)
                        .defaults(PublishOptions.none().withSource("/shop"))
                        .build())
                .beanFactory(beans)
                .build();
    }

    @Bean
    SpringInbox inbox(Shop shop, PlatformTransactionManager transactions) {
        return SpringInbox.of(shop.inbox, shop.pool, transactions);
    }
}
