package dev.postrider.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Passes events on to several listeners and keeps their failures away from whoever tells of them. */
public final class SafeListeners {

    private static final LogThrottle LOG = new LogThrottle(LoggerFactory.getLogger(SafeListeners.class));

    private SafeListeners() {}

    /**
     * One listener that stands for all.
     *
     * @param type a public interface whose methods return nothing
     */
    public static <L> L of(Class<L> type, List<? extends L> listeners) {
        List<L> all = List.copyOf(listeners);
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, event, arguments) -> {
                    if (event.getDeclaringClass() == Object.class) {
                        return event.invoke(all, arguments);
                    }
                    for (L listener : all) {
                        tell(listener, event, arguments);
                    }
                    return null;
                }));
    }

    private static void tell(Object listener, Method event, Object @Nullable [] arguments) throws Throwable {
        try {
            event.invoke(listener, arguments);
        } catch (InvocationTargetException failed) {
            Throwable failure = failed.getCause();
            if (!(failure instanceof RuntimeException
                    || failure instanceof LinkageError
                    || failure instanceof AssertionError)) {
                throw failure;
            }
            String name = listener.getClass().getName();
            LOG.warn(
                    name + event.getName(),
                    failure,
                    "Listener {} failed in {}; everything else goes on",
                    name,
                    event.getName());
        }
    }
}
