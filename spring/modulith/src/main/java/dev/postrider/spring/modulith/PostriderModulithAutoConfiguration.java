package dev.postrider.spring.modulith;

import dev.postrider.spring.SpringOutbox;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.modulith.events.core.ConditionalEventListener;

/** Defines the {@link OutboxExternalizer} where Spring Modulith and an outbox are. */
@AutoConfiguration(
        after = EventExternalizationAutoConfiguration.class,
        afterName = "dev.postrider.spring.boot.PostriderAutoConfiguration")
@ConditionalOnBean({EventExternalizationConfiguration.class, SpringOutbox.class})
class PostriderModulithAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutboxExternalizer postriderOutboxExternalizer(
            EventExternalizationConfiguration configuration, SpringOutbox outbox, ListableBeanFactory beans) {
        StandardEvaluationContext expressions = new StandardEvaluationContext();
        expressions.setBeanResolver(new BeanFactoryResolver(beans));
        return new OutboxExternalizer(configuration, outbox, expressions);
    }

    /** A broker module of Modulith, which listens for the commit, would send each event a second time. */
    @Bean
    SmartInitializingSingleton postriderOnlyExternalizer(ListableBeanFactory beans) {
        return () -> {
            if (beans.getBeanNamesForType(ConditionalEventListener.class).length > 0) {
                throw new IllegalStateException(
                        "Spring Modulith also sends externalised events itself, so each would be sent twice. Remove its module for"
                                + " the broker, such as spring-modulith-events-kafka, or set"
                                + " spring.modulith.events.externalization.mode=outbox");
            }
        };
    }
}
