package dev.postrider.spring.boot;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Endpoint, health and info of the outboxes, where the application has an actuator. */
@AutoConfiguration(
        after = PostriderAutoConfiguration.class,
        afterName = {
            // They make the group of readiness, and ours is to see it.
            "org.springframework.boot.actuate.autoconfigure.availability.AvailabilityProbesAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration"
        })
@ConditionalOnClass(Endpoint.class)
@ConditionalOnBean(OutboxLifecycle.class)
public class PostriderActuatorAutoConfiguration {

    private static Supplier<List<OutboxLifecycle>> all(ObjectProvider<OutboxLifecycle> outboxes) {
        return () -> outboxes.orderedStream().toList();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    PostriderEndpoint postriderEndpoint(ObjectProvider<OutboxLifecycle> outboxes) {
        return new PostriderEndpoint(all(outboxes));
    }

    @Bean
    @ConditionalOnMissingBean(name = "postriderInfoContributor")
    InfoContributor postriderInfoContributor(ObjectProvider<OutboxLifecycle> outboxes) {
        return info -> info.withDetail(
                PostriderProperties.ROOT,
                Map.of(
                        "version",
                        String.valueOf(PostriderActuatorAutoConfiguration.class
                                .getPackage()
                                .getImplementationVersion()),
                        "outboxes",
                        outboxes.orderedStream().map(OutboxLifecycle::name).toList()));
    }

    /** In the packages of Boot 3. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @Conditional(OnWantedHealth.class)
    static class HealthOfBoot3 {

        @Bean
        @ConditionalOnMissingBean(name = "postriderHealthIndicator")
        Boot3Health postriderHealthIndicator(PostriderProperties properties, ObjectProvider<OutboxLifecycle> outboxes) {
            return new Boot3Health(new OutboxHealth(properties, all(outboxes)));
        }

        @Bean
        @Conditional(OnOwnReadiness.class)
        Boot3Readiness postriderReadiness() {
            return new Boot3Readiness();
        }
    }

    /** In the packages of Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @Conditional(OnWantedHealth.class)
    static class HealthOfBoot4 {

        @Bean
        @ConditionalOnMissingBean(name = "postriderHealthIndicator")
        Boot4Health postriderHealthIndicator(PostriderProperties properties, ObjectProvider<OutboxLifecycle> outboxes) {
            return new Boot4Health(new OutboxHealth(properties, all(outboxes)));
        }

        @Bean
        @Conditional(OnOwnReadiness.class)
        Boot4Readiness postriderReadiness() {
            return new Boot4Readiness();
        }
    }

    /** Matches unless the application says itself what the group of readiness has. */
    static final class OnOwnReadiness extends SpringBootCondition {

        private static final String GROUP = "management.endpoint.health.group." + OutboxHealth.READINESS;

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean isSet = Binder.get(context.getEnvironment())
                    .bind(GROUP, Bindable.mapOf(String.class, Object.class))
                    .isBound();
            return new ConditionOutcome(!isSet, ConditionMessage.of(GROUP + (isSet ? " is set" : " is not set")));
        }
    }

    /** Switches our health on and off as every other indicator is. Boot's own condition is in another package on each line. */
    static final class OnWantedHealth extends SpringBootCondition {

        private static final String OWN = "management.health.postrider.enabled";
        private static final String DEFAULTS = "management.health.defaults.enabled";

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            String decides = environment.containsProperty(OWN) ? OWN : DEFAULTS;
            boolean isWanted = environment.getProperty(decides, Boolean.class, true);
            return new ConditionOutcome(isWanted, ConditionMessage.of(decides + " is " + isWanted));
        }
    }
}
