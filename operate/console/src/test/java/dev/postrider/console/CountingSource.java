package dev.postrider.console;

import dev.postrider.service.OutboxConfig;
import dev.postrider.service.Routes;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.operation.OutboxAddress;
import dev.postrider.service.operation.OutboxSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** An outbox that counts which statements are prepared for it. Thread-safe. */
final class CountingSource implements OutboxSource {

    private final OutboxAddress address;
    private final Map<String, Long> statements = Collections.synchronizedMap(new LinkedHashMap<>());

    CountingSource(OutboxAddress address) {
        this.address = address;
    }

    /** How often it was asked how old the oldest message is. */
    long statistics() {
        synchronized (statements) {
            return statements.entrySet().stream()
                    .filter(one -> one.getKey().contains(" AS age FROM"))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    @Override
    public OutboxDatabase connect(int connections) {
        OutboxDatabase opened = address.connect(connections);
        return OutboxDatabase.over(database(), counting(DataSource.class, opened.dataSource()), opened::close);
    }

    private <T> T counting(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> call(target, method, args)));
    }

    private Object call(Object target, Method method, Object[] args) throws Throwable {
        if (method.getName().equals("prepareStatement")) {
            statements.merge((String) args[0], 1L, Long::sum);
        }
        try {
            Object answer = method.invoke(target, args);
            return answer instanceof Connection connection ? counting(Connection.class, connection) : answer;
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    @Override
    public String name() {
        return address.name();
    }

    @Override
    public StoreSettings store() {
        return address.store();
    }

    @Override
    public DatabaseSettings database() {
        return address.database();
    }

    @Override
    public Optional<OutboxConfig> config() {
        return address.config();
    }

    @Override
    public Optional<Routes> routes() {
        return address.routes();
    }
}
