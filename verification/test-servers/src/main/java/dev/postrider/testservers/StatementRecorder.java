package dev.postrider.testservers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Notes the statements that go through a data source, with their parameters, so that a test can ask for the plan of each.
 *
 * <p>For one thread.
 */
public final class StatementRecorder {

    private final List<Recorded> recorded = new ArrayList<>();

    /** The same connections; what they prepare is recorded. */
    public DataSource around(DataSource dataSource) {
        return proxy(
                DataSource.class,
                dataSource,
                (method, arguments, result) -> result instanceof Connection connection
                        ? proxy(Connection.class, connection, this::prepared)
                        : result);
    }

    private Object prepared(Method method, Object[] arguments, Object result) {
        if (!method.getName().equals("prepareStatement")) {
            return result;
        }
        Recorded statement = new Recorded((String) arguments[0], new ArrayList<>());
        recorded.add(statement);
        return proxy(PreparedStatement.class, (PreparedStatement) result, (call, values, outcome) -> {
            if (call.getName().startsWith("set") && values.length > 1) {
                statement.parameters().add(new Parameter(call, values));
            }
            return outcome;
        });
    }

    /** All statements since the last call, in order. */
    public List<Recorded> take() {
        List<Recorded> taken = List.copyOf(recorded);
        recorded.clear();
        return taken;
    }

    private static <T> T proxy(Class<T> type, T target, Observer observer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return observer.after(method, arguments, method.invoke(target, arguments));
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                }));
    }

    /** Sees a call that has returned, and says what its caller gets. */
    private interface Observer {
        Object after(Method method, Object[] arguments, Object result);
    }

    /** One statement with its parameters. */
    public record Recorded(String sql, List<Parameter> parameters) {

        /** Prepares it again, with these words before it and the same parameters. */
        public PreparedStatement prepare(Connection connection, String words) throws SQLException {
            PreparedStatement statement = connection.prepareStatement(words + sql);
            for (Parameter parameter : parameters) {
                parameter.bind(statement);
            }
            return statement;
        }
    }

    /** A call that bound a parameter. */
    public record Parameter(Method call, Object[] values) {

        void bind(PreparedStatement statement) throws SQLException {
            try {
                call.invoke(statement, values);
            } catch (ReflectiveOperationException impossible) {
                throw new SQLException(impossible);
            }
        }
    }
}
