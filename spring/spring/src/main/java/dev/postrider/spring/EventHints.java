package dev.postrider.spring;

import dev.postrider.bus.EventContext;
import dev.postrider.message.OutboxMessage;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Set;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/**
 * What a native image has to keep for our annotations: handler methods, and classes of events, which codecs and expressions read.
 *
 * <p>Spring looks at beans by itself, so events that a handler takes are found. For other events, the application adds
 * {@code @ReflectiveScan}.
 */
final class EventHints implements ReflectiveProcessor {

    private static final Set<Class<?>> NO_EVENTS = Set.of(OutboxMessage.class, EventContext.class);

    private final BindingReflectionHintsRegistrar bindings = new BindingReflectionHintsRegistrar();

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (element instanceof Method handler) {
            hints.registerMethod(handler, ExecutableMode.INVOKE);
            for (Class<?> parameter : handler.getParameterTypes()) {
                register(hints, parameter);
            }
        } else if (element instanceof Class<?> event) {
            register(hints, event);
        }
    }

    private void register(ReflectionHints hints, Class<?> event) {
        if (!NO_EVENTS.contains(event)) {
            bindings.registerReflectionHints(hints, event);
        }
    }
}
