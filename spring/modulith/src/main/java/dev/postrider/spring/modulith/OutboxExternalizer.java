package dev.postrider.spring.modulith;

import dev.postrider.bus.EventType;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishOptions;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.BrokerRouting;

/**
 * Writes the events that Spring Modulith externalises to the outbox: those with {@code @Externalized}, or whatever the application's {@link
 * EventExternalizationConfiguration} selects.
 *
 * <p>It does so at once, in the publisher's thread and transaction: an event is sent if and only if that commits, in order per key, and
 * leaves no row in Modulith's registry of publications. Modulith's routing target becomes the topic, its key the key; mapping and headers
 * are applied. Modulith's {@code EventExternalized} is not published, since the relay delivers later. Thread-safe.
 */
public final class OutboxExternalizer implements GenericApplicationListener {

    private final EventExternalizationConfiguration configuration;
    private final SpringOutbox outbox;
    private final EvaluationContext expressions;

    /**
     * Writes the events that this configuration selects.
     *
     * @param outbox one that has {@link SpringOutbox.Builder#events}
     * @param expressions evaluates the expressions in routing targets
     */
    public OutboxExternalizer(
            EventExternalizationConfiguration configuration, SpringOutbox outbox, EvaluationContext expressions) {
        this.configuration = Objects.requireNonNull(configuration, "configuration");
        this.outbox = Objects.requireNonNull(outbox, "outbox");
        this.expressions = Objects.requireNonNull(expressions, "expressions");
    }

    /** Only the event itself tells whether it is externalised. */
    @Override
    public boolean supportsEventType(ResolvableType type) {
        return true;
    }

    /** No other thread is in the transaction. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    /** Events that other listeners publish in turn come behind. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object payload = event instanceof PayloadApplicationEvent<?> wrapper ? wrapper.getPayload() : event;
        if (configuration.supports(payload)) {
            requireOneAnnotation(payload.getClass());
            outbox.publisher().publishAll(List.of(publication(payload)));
        }
    }

    private static void requireOneAnnotation(Class<?> eventClass) {
        if (AnnotatedElementUtils.hasAnnotation(eventClass, OutboxEvent.class)) {
            throw new IllegalStateException(
                    eventClass.getName()
                            + " is externalised by Spring Modulith and has an @OutboxEvent as well, so it would be sent twice. Remove one");
        }
    }

    private Publication publication(Object event) {
        Object mapped = configuration.map(event);
        String type = Objects.requireNonNullElse(
                event.getClass().getCanonicalName(), event.getClass().getName());
        return new Publication(EventType.of(type, mapped.getClass()), mapped, options(event));
    }

    private PublishOptions options(Object event) {
        BrokerRouting routing = BrokerRouting.of(configuration.determineTarget(event), expressions);
        PublishOptions options = PublishOptions.none().withTopic(routing.getTarget(event));
        String key = routing.getKey(event);
        if (key != null) {
            options = options.withKey(key);
        }
        for (Map.Entry<String, Object> header :
                configuration.getHeadersFor(event).entrySet()) {
            options = options.withHeader(header.getKey(), String.valueOf(header.getValue()));
        }
        return options;
    }
}
