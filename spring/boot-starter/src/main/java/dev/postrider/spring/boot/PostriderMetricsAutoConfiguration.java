package dev.postrider.spring.boot;

import dev.postrider.micrometer.MessageExemplars;
import io.prometheus.metrics.tracer.common.SpanContext;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Gives the delay of deliveries exemplars where Prometheus scrapes the application: the trace of whoever wrote the message. All other meters
 * keep those of the application's tracer.
 */
@AutoConfiguration(
        after = PostriderAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.tracing.prometheus.PrometheusExemplarsAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.prometheus.PrometheusExemplarsAutoConfiguration"
        })
@ConditionalOnClass(SpanContext.class)
@ConditionalOnBean(PostriderProperties.class)
public class PostriderMetricsAutoConfiguration {

    /** For an application that relays what others have traced. */
    @Bean
    @ConditionalOnMissingBean
    SpanContext postriderExemplars() {
        return new MessageExemplars();
    }

    @Bean
    static OthersExemplars postriderOthersExemplars() {
        return new OthersExemplars();
    }
}
