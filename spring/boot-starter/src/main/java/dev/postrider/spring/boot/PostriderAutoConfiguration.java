package dev.postrider.spring.boot;

import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.service.EmbeddedConfig;
import dev.postrider.spi.Codec;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TraceContext;
import dev.postrider.spring.EnablePostrider;
import dev.postrider.spring.EventHandlers;
import dev.postrider.spring.SpringOutbox;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Outboxes, destinations and relays of a Spring Boot application, from the keys below {@code postrider}. Works with Boot 3.5 and 4.
 *
 * <p>A single outbox gives the beans {@link OutboxStore}, {@link Outbox} and {@link SpringOutbox}; of several outboxes each has a set of
 * them, with the outbox's name as qualifier. Every bean of the application's own goes before one of these. Beans of type {@link
 * PublishInterceptor} and {@code HandleInterceptor} are applied in their order.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration",
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.boot.autoconfigure.amqp.RabbitAutoConfiguration",
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnBean(DataSource.class)
@ConditionalOnProperty(name = "postrider.enabled", matchIfMissing = true)
@EnablePostrider
@Import({OutboxRegistrar.class, InboxConfiguration.class})
public class PostriderAutoConfiguration {

    static final String PARTS = "postriderOutboxParts";

    @Bean
    @ConditionalOnMissingBean
    PostriderProperties postriderProperties(ConfigurableEnvironment environment) {
        return PostriderProperties.read(environment);
    }

    @Bean(PARTS)
    OutboxParts postriderOutboxParts(
            PostriderProperties properties,
            ConfigurableListableBeanFactory beans,
            ConfigurableEnvironment environment) {
        return new OutboxParts(properties, beans, environment);
    }

    @Bean
    ApplicationBrokers postriderApplicationBrokers(
            ConfigurableListableBeanFactory beans, ConfigurableEnvironment environment, ResourceLoader resources) {
        return new ApplicationBrokers(beans, environment, resources);
    }

    /** Made when the first relay starts: none is needed where another process relays. */
    @Bean
    @Lazy
    Destinations postriderDestinations(
            PostriderProperties properties, ObjectProvider<Destination> beans, ApplicationBrokers brokers) {
        return new Destinations(properties.config(), beans.orderedStream().toList(), new DestinationMaker(brokers));
    }

    @Bean
    @ConditionalOnProperty(name = "spring.main.keep-alive", matchIfMissing = true)
    KeepAlive postriderKeepAlive(ObjectProvider<OutboxLifecycle> outboxes, ObjectProvider<EventHandlers> handlers) {
        return new KeepAlive(outboxes, handlers);
    }

    @Bean
    @ConditionalOnMissingBean
    CodecRegistry postriderCodecs(ObjectProvider<Codec> codecs) {
        return CodecRegistry.of(codecs.orderedStream().toArray(Codec[]::new));
    }

    @Bean
    @ConditionalOnMissingBean(Codec.class)
    JsonCodec postriderJsonCodec() {
        return JsonCodec.withDefaults();
    }

    @Bean
    @ConditionalOnMissingBean
    EventPublishers postriderEventPublishers(
            CodecRegistry codecs, ObjectProvider<PublishInterceptor> interceptors, ObjectProvider<TraceContext> trace) {
        EventPublishers.Builder builder = EventPublishers.builder(codecs);
        trace.ifUnique(builder::tracing);
        interceptors.orderedStream().forEach(builder::intercept);
        return builder.build();
    }

    /** The beans of the only outbox. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnSingleOutbox.class)
    static class SingleOutbox {

        @Bean
        @ConditionalOnMissingBean({RelayPool.class, OutboxStore.class})
        RelayPool postriderRelayPool(OutboxParts parts) {
            return parts.pool(EmbeddedConfig.SINGLE);
        }

        @Bean
        @ConditionalOnMissingBean
        OutboxStore outboxStore(OutboxParts parts, RelayPool pool) {
            return parts.store(EmbeddedConfig.SINGLE, pool);
        }

        @Bean
        @ConditionalOnMissingBean
        Outbox outbox(OutboxParts parts, OutboxStore store) {
            return parts.outbox(EmbeddedConfig.SINGLE, store);
        }

        @Bean
        @ConditionalOnMissingBean
        SpringOutbox springOutbox(OutboxParts parts, Outbox outbox) {
            return parts.springOutbox(EmbeddedConfig.SINGLE, outbox);
        }

        @Bean
        @ConditionalOnMissingBean
        OutboxLifecycle outboxLifecycle(OutboxParts parts, OutboxStore store) {
            return parts.lifecycle(EmbeddedConfig.SINGLE, store);
        }
    }

    /** Matches where no outbox has a name. */
    static final class OnSingleOutbox extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean isSingle = PostriderProperties.outboxNames((ConfigurableEnvironment) context.getEnvironment())
                    .isEmpty();
            return new ConditionOutcome(
                    isSingle, ConditionMessage.of(isSingle ? "a single outbox" : "postrider.outboxes has several"));
        }
    }
}
