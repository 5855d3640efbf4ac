package dev.postrider.store.existing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * Connections that end at one of the steps to come, a statement or a commit, as if the process had died right before it: that step
 * and all later ones fail, and what is not committed is rolled back.
 */
final class CutDataSource {

    private static final Set<String> STEPS = Set.of("execute", "executeQuery", "executeUpdate", "commit");

    private final DataSource real;
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

    /** The names of those that have committed. */
    final Set<String> committers = ConcurrentHashMap.newKeySet();

    /** All that were prepared. */
    final List<String> statements = new CopyOnWriteArrayList<>();

    CutDataSource(DataSource real) {
        this.real = real;
    }

    /** The step with this number from now on, counted from 0, does not happen. */
    void cutBefore(int step) {
        left.set(step);
    }

    /** All steps happen again. */
    void heal() {
        cutBefore(Integer.MAX_VALUE);
    }

    boolean isCut() {
        return left.get() < 0;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, real);
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (STEPS.contains(method.getName()) && left.getAndDecrement() <= 0) {
                        throw new SQLException("cut");
                    }
                    if (method.getName().equals("commit")) {
                        committers.add(Thread.currentThread().getName());
                    }
                    if (method.getName().equals("prepareStatement")) {
                        statements.add((String) arguments[0]);
                    }
                    try {
                        return wrapped(method.invoke(target, arguments));
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                }));
    }

    private Object wrapped(Object result) {
        if (result instanceof Connection connection) {
            return proxy(Connection.class, connection);
        }
        if (result instanceof PreparedStatement statement) {
            return proxy(PreparedStatement.class, statement);
        }
        return result instanceof Statement statement ? proxy(Statement.class, statement) : result;
    }
}
