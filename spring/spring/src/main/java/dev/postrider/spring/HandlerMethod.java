package dev.postrider.spring;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.EventType;
import dev.postrider.bus.Subscriber;
import dev.postrider.message.OutboxMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** A method with {@link EventHandler} of one bean. */
record HandlerMethod(ConfigurableListableBeanFactory beans, String bean, Method method, EventHandler annotation) {

    HandlerMethod {
        Class<?>[] parameters = method.getParameterTypes();
        boolean hasContext = parameters.length == 2 && parameters[1] == EventContext.class;
        if (parameters.length != 1 && !hasContext) {
            throw new IllegalStateException(
                    "A method with @EventHandler has the event as its parameter, and may have an"
                            + " EventContext behind it: " + method);
        }
        if (annotation.subscriber().isBlank()) {
            throw new IllegalStateException("@EventHandler has a blank subscriber: " + method);
        }
        if (parameters[0] == OutboxMessage.class && !annotation.type().isEmpty()) {
            throw new IllegalStateException(
                    "A handler of OutboxMessage gets all types that have no other handler: remove the"
                            + " type, or take the class of the event as parameter: " + method);
        }
        ReflectionUtils.makeAccessible(method);
    }

    /** All of them, in the order of the beans. */
    static List<HandlerMethod> in(ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanNamesForType(Object.class))
                .filter(bean -> !ScopedProxyUtils.isScopedTarget(bean))
                .flatMap(bean -> of(beans, bean))
                .toList();
    }

    private static Stream<HandlerMethod> of(ConfigurableListableBeanFactory beans, String bean) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
        if (type == null || !AnnotationUtils.isCandidateClass(type, EventHandler.class)) {
            return Stream.empty();
        }
        Map<Method, EventHandler> found =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<EventHandler>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, EventHandler.class));
        return found.entrySet().stream()
                .map(each -> new HandlerMethod(
                        beans,
                        bean,
                        AopUtils.selectInvocableMethod(each.getKey(), beans.getType(bean)),
                        each.getValue()));
    }

    String subscriber() {
        return annotation.subscriber();
    }

    void register(Subscriber subscriber) {
        Class<?> eventClass = method.getParameterTypes()[0];
        if (eventClass == OutboxMessage.class) {
            subscriber.registerFallback(this::handle);
        } else {
            register(subscriber, eventClass);
        }
    }

    private <T> void register(Subscriber subscriber, Class<T> eventClass) {
        String type = annotation.type().isEmpty() ? EventMappings.typeName(eventClass) : annotation.type();
        subscriber.register(EventType.of(type, eventClass), this::handle);
    }

    private void handle(Object event, EventContext context) throws Exception {
        if (annotation.once()) {
            inbox().process(context.subscriber(), context.message(), () -> invoke(event, context));
        } else {
            invoke(event, context);
        }
    }

    /** Fails if the handler needs an inbox that is not there, or that has no table: no event could be handled. */
    void requireInbox() {
        if (annotation.once()) {
            inbox();
        }
    }

    private SpringInbox inbox() {
        try {
            return annotation.inbox().isEmpty()
                    ? beans.getBean(SpringInbox.class)
                    : beans.getBean(annotation.inbox(), SpringInbox.class);
        } catch (NoSuchBeanDefinitionException missing) {
            throw new IllegalStateException(
                    "The inbox of a method with @EventHandler was not found: " + missing.getMessage()
                            + ". Define a bean of type SpringInbox, name one of several with @EventHandler(inbox = …), or set"
                            + " once = false: " + method,
                    missing);
        }
    }

    private void invoke(Object event, EventContext context) throws Exception {
        Object[] arguments = method.getParameterCount() == 2 ? new Object[] {event, context} : new Object[] {event};
        try {
            method.invoke(beans.getBean(bean), arguments);
        } catch (InvocationTargetException thrown) {
            ReflectionUtils.rethrowException(thrown.getTargetException());
        }
    }
}
