package dev.postrider.spring.boot;

import dev.postrider.micrometer.MessageExemplars;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Puts the exemplars of messages around those of the application's tracer, which is asked once the context has started.
 *
 * <p>Boot looks for the tracer when a meter first asks for an exemplar, under a lock of its own. The thread of a pool that opens connections
 * may hold that lock and wait for the thread that makes the beans, while that one waits for the same lock, since it measures how long it
 * took to get a connection: the start would hang. So the tracer is found here, by the thread that has started the context, before anybody
 * else may ask. Thread-safe.
 */
final class OthersExemplars implements BeanPostProcessor, ApplicationListener<ContextRefreshedEvent> {

    private final List<SpanContext> found = new CopyOnWriteArrayList<>();
    private volatile boolean hasStarted;

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof SpanContext others) || bean instanceof MessageExemplars) {
            return bean;
        }
        found.add(others);
        return new MessageExemplars(new AfterStart(others));
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        found.forEach(SpanContext::getCurrentTraceId);
        hasStarted = true;
    }

    /** Nothing until the context has started. */
    private final class AfterStart implements SpanContext {

        private final SpanContext others;

        private AfterStart(SpanContext others) {
            this.others = others;
        }

        @Override
        public @Nullable String getCurrentTraceId() {
            return hasStarted ? others.getCurrentTraceId() : null;
        }

        @Override
        public @Nullable String getCurrentSpanId() {
            return hasStarted ? others.getCurrentSpanId() : null;
        }

        @Override
        public boolean isCurrentSpanSampled() {
            return hasStarted && others.isCurrentSpanSampled();
        }

        @Override
        public void markCurrentSpanAsExemplar() {
            if (hasStarted) {
                others.markCurrentSpanAsExemplar();
            }
        }
    }
}
