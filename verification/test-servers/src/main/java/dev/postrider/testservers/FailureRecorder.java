package dev.postrider.testservers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/**
 * Notes the errors with which a database answers, and lets a test react to each before the code under test sees it.
 *
 * <p>Thread-safe; the reaction runs on the thread that met the error.
 */
public final class FailureRecorder {

    private final List<SQLException> failures = new CopyOnWriteArrayList<>();
    private volatile Reaction reaction = () -> {};

    /** The same connections; their errors are recorded. */
    public DataSource around(DataSource dataSource) {
        return proxy(DataSource.class, dataSource);
    }

    /** From now on this is done at every error. */
    public void onFailure(Reaction newReaction) {
        reaction = newReaction;
    }

    /** All errors so far, in order. */
    public List<SQLException> failures() {
        return List.copyOf(failures);
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return wrapped(method.invoke(target, arguments));
                    } catch (InvocationTargetException failure) {
                        record(failure.getCause());
                        throw failure.getCause();
                    }
                }));
    }

    private void record(Throwable failure) throws SQLException {
        if (failure instanceof SQLException error) {
            failures.add(error);
            reaction.run();
        }
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

    /** What a test does about an error. */
    @FunctionalInterface
    public interface Reaction {
        void run() throws SQLException;
    }
}
