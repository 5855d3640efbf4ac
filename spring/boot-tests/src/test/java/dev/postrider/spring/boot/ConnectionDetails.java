package dev.postrider.spring.boot;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/** Beans that say where a broker is, as {@code @ServiceConnection} of Testcontainers makes them. Boot 4 has moved their types. */
final class ConnectionDetails {

    private ConnectionDetails() {}

    static ApplicationContextInitializer<ConfigurableApplicationContext> kafka(Map<String, Object> values) {
        return bean(
                type(
                        "org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails",
                        "org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails"),
                values);
    }

    static Class<?> rabbitmqType() {
        return type(
                "org.springframework.boot.autoconfigure.amqp.RabbitConnectionDetails",
                "org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails");
    }

    /** An address of RabbitMQ in the type of these details. */
    static Object rabbitmqAddress(String host, int port) {
        try {
            return ClassUtils.forName(rabbitmqType().getName() + "$Address", null)
                    .getConstructor(String.class, int.class)
                    .newInstance(host, port);
        } catch (ReflectiveOperationException unknown) {
            throw new IllegalStateException(unknown);
        }
    }

    private static Class<?> type(String... names) {
        for (String name : names) {
            if (ClassUtils.isPresent(name, null)) {
                return ClassUtils.resolveClassName(name, null);
            }
        }
        throw new IllegalStateException("No type of Boot any more");
    }

    /** @param values what its methods return; others are as Boot defines them */
    static <T> ApplicationContextInitializer<ConfigurableApplicationContext> bean(
            Class<T> type, Map<String, Object> values) {
        InvocationHandler methods = (proxy, method, arguments) -> {
            if (values.containsKey(method.getName())) {
                return values.get(method.getName());
            }
            return method.isDefault()
                    ? InvocationHandler.invokeDefault(proxy, method, arguments)
                    : method.invoke(values, arguments);
        };
        T details = type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, methods));
        return context -> ((GenericApplicationContext) context).registerBean(type, () -> details);
    }
}
