package dev.postrider.spring;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The beans behind {@link EnablePostrider}. */
@Configuration(proxyBeanMethods = false)
class PostriderConfiguration {

    /** Static, since a post-processor is made before all other beans. */
    @Bean
    static TransactionObserver postriderTransactionObserver() {
        return new TransactionObserver();
    }

    @Bean
    static OutboxEventListener postriderOutboxEventListener() {
        return new OutboxEventListener();
    }

    @Bean
    static EventHandlers postriderEventHandlers(Environment environment) {
        return new EventHandlers(environment.getProperty("postrider.handlers.enabled", Boolean.class, true));
    }
}
