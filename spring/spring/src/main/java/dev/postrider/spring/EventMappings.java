package dev.postrider.spring;

import dev.postrider.bus.EventType;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishOptions;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** What {@link OutboxEvent} says about each class of events; read once. Thread-safe. */
final class EventMappings {

    private final Optional<ConfigurableBeanFactory> beanFactory;
    private final StandardEvaluationContext expressions = new StandardEvaluationContext();
    private final Map<Class<?>, EventMapping> byClass = new ConcurrentHashMap<>();

    EventMappings(Optional<ConfigurableBeanFactory> beanFactory) {
        this.beanFactory = beanFactory;
        beanFactory.ifPresent(beans -> expressions.setBeanResolver(new BeanFactoryResolver(beans)));
    }

    /** Found on the class, its parents and interfaces, and on other annotations. */
    static Optional<OutboxEvent> annotation(Class<?> eventClass) {
        return Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(eventClass, OutboxEvent.class));
    }

    /** The type of events of this class on the wire. */
    static String typeName(Class<?> eventClass) {
        return annotation(eventClass)
                .map(OutboxEvent::type)
                .filter(name -> !name.isEmpty())
                .orElseGet(() -> Objects.requireNonNullElse(eventClass.getCanonicalName(), eventClass.getName()));
    }

    /** @throws IllegalArgumentException if its class has no annotation */
    Publication publication(Object event) {
        EventMapping mapping =
                byClass.computeIfAbsent(Objects.requireNonNull(event, "event").getClass(), this::read);
        PublishOptions options = PublishOptions.none();
        options = mapping.topic()
                .map(topic -> topic.of(event))
                .map(options::withTopic)
                .orElse(options);
        options = mapping.key().map(key -> key.of(event)).map(options::withKey).orElse(options);
        options = mapping.subject()
                .map(subject -> subject.of(event))
                .map(options::withSubject)
                .orElse(options);
        return new Publication(mapping.type(), event, options);
    }

    private EventMapping read(Class<?> eventClass) {
        OutboxEvent annotation = annotation(eventClass)
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                eventClass.getName()
                                        + " has no @OutboxEvent that says where it goes. Add one, or use outbox.publisher() or outbox.message(topic)"));
        return new EventMapping(
                EventType.of(typeName(eventClass), eventClass),
                template("topic", annotation.topic(), eventClass),
                template("key", annotation.key(), eventClass),
                template("subject", annotation.subject(), eventClass));
    }

    private Optional<EventTemplate> template(String attribute, String text, Class<?> eventClass) {
        return Optional.of(text)
                .filter(given -> !given.isEmpty())
                .map(given -> EventTemplate.parse(
                        attribute + " of @OutboxEvent on " + eventClass.getName(), resolved(given), expressions));
    }

    private String resolved(String text) {
        return beanFactory.map(beans -> beans.resolveEmbeddedValue(text)).orElse(text);
    }

    /** What the annotation of one class says. */
    private record EventMapping(
            EventType<?> type,
            Optional<EventTemplate> topic,
            Optional<EventTemplate> key,
            Optional<EventTemplate> subject) {}
}
