package dev.postrider.cli.demo;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a relay needs of the world goes through its lifeline; when that is cut the relay is as dead as a killed
 * process.
 *
 * <p>From that instant on none of its calls returns: it settles, renews and releases nothing. Its open transactions are rolled
 * back, as a database does that sees a connection break. Its threads are daemons and hang until the process ends. Thread-safe.
 */
final class Lifeline {

    /** Held shared by each call, exclusively by the cut: it falls between two calls, never into one. */
    private final ReadWriteLock calls = new ReentrantReadWriteLock(true);

    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;

    /** The same object, through this lifeline; connections and statements that come from it too. */
    <T> T guard(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader() != null ? type.getClassLoader() : Lifeline.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments)));
    }

    private @Nullable Object call(Object target, Method method, Object[] arguments) throws Throwable {
        @Nullable Object result;
        calls.readLock().lock();
        try {
            result = isCut ? null : guarded(target, method, method.invoke(target, arguments));
        } catch (InvocationTargetException failure) {
            throw failure.getTargetException();
        } finally {
            calls.readLock().unlock();
        }
        hangIfCut();
        return result;
    }

    private @Nullable Object guarded(Object target, Method method, @Nullable Object result) {
        if (target instanceof Connection connection && method.getName().equals("close")) {
            open.remove(connection);
        }
        if (result instanceof Connection connection && !(target instanceof Statement)) {
            open.add(connection);
            return guard(Connection.class, connection);
        }
        if (result instanceof PreparedStatement statement) {
            return guard(PreparedStatement.class, statement);
        }
        return result instanceof Statement statement ? guard(Statement.class, statement) : result;
    }

    /** Kills the relay. */
    void cut() {
        calls.writeLock().lock();
        try {
            isCut = true;
            open.forEach(Lifeline::breakOff);
        } finally {
            calls.writeLock().unlock();
        }
    }

    private static void breakOff(Connection connection) {
        try {
            connection.close();
        } catch (SQLException failure) {
            throw new IllegalStateException("Cannot end a connection of the killed relay; its locks stay", failure);
        }
    }

    boolean isCut() {
        return isCut;
    }

    /** Never returns once the lifeline is cut. */
    void hangIfCut() {
        while (isCut) {
            LockSupport.park(this);
            // An interrupted thread does not park; a dead one must not spin either.
            Thread.interrupted();
        }
    }
}
