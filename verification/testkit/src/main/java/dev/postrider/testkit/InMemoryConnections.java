package dev.postrider.testkit;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections that know nothing but transactions, so that code that enqueues through JDBC runs against the in-memory store. */
final class InMemoryConnections {

    private InMemoryConnections() {}

    static DataSource dataSource(Supplier<InMemoryTransaction> transactions) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            if (method.getName().equals("getConnection")) {
                return proxy(Connection.class, new Session(transactions.get()));
            }
            if (method.getName().equals("isWrapperFor")) {
                return false;
            }
            throw unsupported(method);
        });
    }

    /** The transaction behind a connection of {@link #dataSource}. */
    static InMemoryTransaction transactionOf(Connection connection) {
        if (Proxy.isProxyClass(connection.getClass())
                && Proxy.getInvocationHandler(connection) instanceof Identity identity
                && identity.handler() instanceof Session session) {
            return session.transaction;
        }
        throw new IllegalArgumentException("The in-memory store needs a connection of its own dataSource()");
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        InvocationHandler withIdentity = new Identity(type.getSimpleName(), handler);
        return type.cast(Proxy.newProxyInstance(
                InMemoryConnections.class.getClassLoader(), new Class<?>[] {type}, withIdentity));
    }

    /** What every object can do, so that it can be a bean or a key in a map. */
    private record Identity(String name, InvocationHandler handler) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> name + " in memory";
                default -> handler.invoke(proxy, method, arguments);
            };
        }
    }

    private static SQLFeatureNotSupportedException unsupported(Method method) {
        return new SQLFeatureNotSupportedException("The in-memory store runs no SQL: " + method.getName());
    }

    private static final class Session implements InvocationHandler {

        private final InMemoryTransaction transaction;
        private final Map<Savepoint, InMemoryTransaction.Point> savepoints = new IdentityHashMap<>();
        private boolean isAutoCommit = true;

        Session(InMemoryTransaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            return switch (method.getName()) {
                case "getAutoCommit" -> isAutoCommit;
                case "setAutoCommit" -> {
                    isAutoCommit = (boolean) arguments[0];
                    yield null;
                }
                case "commit" -> {
                    transaction.commit();
                    yield null;
                }
                case "rollback" -> rollback(arguments);
                case "close" -> {
                    transaction.rollback();
                    yield null;
                }
                case "setSavepoint" -> {
                    Savepoint savepoint = proxy(Savepoint.class, (target, called, none) -> called.getName());
                    savepoints.put(savepoint, transaction.savepoint());
                    yield savepoint;
                }
                case "isReadOnly", "isClosed" -> false;
                case "setReadOnly", "releaseSavepoint", "clearWarnings" -> null;
                case "getMetaData" ->
                    proxy(DatabaseMetaData.class, (target, called, none) -> {
                        if (called.getName().equals("supportsSavepoints")) {
                            return true;
                        }
                        throw unsupported(called);
                    });
                default -> throw unsupported(method);
            };
        }

        private @Nullable Object rollback(Object @Nullable [] arguments) {
            if (arguments == null || arguments.length == 0) {
                transaction.rollback();
            } else {
                transaction.rollbackTo(requireNonNull(savepoints.get((Savepoint) arguments[0])));
            }
            return null;
        }
    }
}
