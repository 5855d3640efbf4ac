package dev.postrider.service.database;

import java.lang.reflect.Proxy;
import javax.sql.DataSource;

/** Stands where a builder wants a data source that it will not use. */
final class NoDatabase {

    private NoDatabase() {}

    static DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                NoDatabase.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("There is no database behind this");
                });
    }
}
