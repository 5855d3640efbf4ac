package dev.postrider.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** A pool of one connection that resets nothing, so that a test sees what a user of it left behind. */
record OneConnection(Connection connection) {

    DataSource dataSource() {
        Connection unclosed = proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("close")) {
                return null;
            }
            try {
                return method.invoke(connection, arguments);
            } catch (InvocationTargetException failed) {
                throw failed.getCause();
            }
        });
        return proxy(DataSource.class, (proxy, method, arguments) -> unclosed);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
