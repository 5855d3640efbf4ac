package dev.postrider.spring.boot;

import dev.postrider.spi.TraceContext;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.Set;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Traces messages where the application traces with Micrometer: the trace of whoever enqueues is kept with the message, and each attempt to
 * send or to process it is an observation and a span. A bean of type {@link TraceContext} of the application's own goes before.
 */
@AutoConfiguration(
        after = PostriderAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
        })
@ConditionalOnClass({Tracer.class, ObservationRegistry.class})
@ConditionalOnBean({Tracer.class, Propagator.class, ObservationRegistry.class, PostriderProperties.class})
@ConditionalOnMissingBean(TraceContext.class)
@ConditionalOnProperty(name = "postrider.tracing.enabled", matchIfMissing = true)
public class PostriderTracingAutoConfiguration {

    /** Before the handlers of Boot, of which the last takes every observation. */
    private static final int BEFORE_OTHERS = 0;

    @Bean
    CarriedTrace postriderCarriedTrace(Tracer tracer, Propagator propagator, Environment environment) {
        Set<String> baggage = Binder.get(environment)
                .bind("management.tracing.baggage.remote-fields", Bindable.setOf(String.class))
                .orElse(Set.of());
        return new CarriedTrace(tracer, propagator, baggage);
    }

    @Bean
    ObservedTracing postriderTracing(
            ObservationRegistry registry, Tracer tracer, CarriedTrace carried, PostriderProperties properties) {
        return new ObservedTracing(registry, tracer, carried, properties.createsSpans());
    }

    @Bean
    @Order(BEFORE_OTHERS)
    MessageTracingHandler postriderTracingHandler(Tracer tracer, CarriedTrace carried, PostriderProperties properties) {
        return new MessageTracingHandler(tracer, carried, properties.sendsAsChild());
    }
}
