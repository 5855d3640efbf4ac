package dev.postrider.spring;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;

/**
 * Writes events whose class has an {@link OutboxEvent} to the outbox when they are published by Spring's {@code ApplicationEventPublisher}.
 *
 * <p>It does so at once, in the publisher's thread and transaction, and before other listeners: events that those publish in turn come
 * behind. Outside a transaction publishing fails with a {@link dev.postrider.NoTransactionException}. Thread-safe.
 */
public final class OutboxEventListener implements GenericApplicationListener, BeanFactoryAware {

    private volatile @Nullable BeanFactory beans;

    /** The outboxes and filters are beans of the factory that makes this one. */
    public OutboxEventListener() {}

    @Override
    public void setBeanFactory(BeanFactory value) {
        this.beans = value;
    }

    @Override
    public boolean supportsEventType(ResolvableType type) {
        Class<?> eventClass = PayloadApplicationEvent.class.isAssignableFrom(type.toClass())
                ? type.as(PayloadApplicationEvent.class).getGeneric().resolve()
                : type.resolve();
        return eventClass == null || EventMappings.annotation(eventClass).isPresent();
    }

    /** In the publisher's thread also where an executor calls other listeners: no other thread is in the transaction. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object payload = event instanceof PayloadApplicationEvent<?> wrapper ? wrapper.getPayload() : event;
        EventMappings.annotation(payload.getClass())
                .filter(annotation -> isAccepted(payload))
                .ifPresent(annotation -> outbox(annotation.outbox()).publish(payload));
    }

    private boolean isAccepted(Object event) {
        return filters().stream().allMatch(filter -> filter.accepts(event));
    }

    private ObjectProvider<OutboxEventFilter> filters() {
        return beans().getBeanProvider(OutboxEventFilter.class);
    }

    private SpringOutbox outbox(String name) {
        return name.isEmpty()
                ? onlyOutbox()
                : BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans(), SpringOutbox.class, name);
    }

    private SpringOutbox onlyOutbox() {
        try {
            return beans().getBean(SpringOutbox.class);
        } catch (NoUniqueBeanDefinitionException several) {
            throw new IllegalStateException(
                    "There are several outboxes and none is primary: " + several.getBeanNamesFound()
                            + ". Name one in the annotation of the event: @OutboxEvent(outbox = \"…\")",
                    several);
        }
    }

    private BeanFactory beans() {
        return Objects.requireNonNull(beans, "This listener is to be a bean of an application context");
    }
}
