package dev.postrider.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A public method of Spring without parameters, if Spring is present. */
record SpringCall(Optional<Method> method) {

    /** @param type its name behind {@code org.springframework} */
    static SpringCall find(String type, String method) {
        try {
            Class<?> found = Class.forName("org.springframework." + type, true, SpringCall.class.getClassLoader());
            return new SpringCall(Optional.of(found.getMethod(method)));
        } catch (ReflectiveOperationException | LinkageError absent) {
            return new SpringCall(Optional.empty());
        }
    }

    boolean exists() {
        return method.isPresent();
    }

    /** Whether it can be called on this object. */
    boolean isOf(Object object) {
        return method.isPresent() && method.get().getDeclaringClass().isInstance(object);
    }

    /** On null for a static method. */
    Object invoke(@Nullable Object object) {
        try {
            return method.orElseThrow().invoke(object);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() instanceof RuntimeException failure
                    ? failure
                    : new IllegalStateException(failed.getCause());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
