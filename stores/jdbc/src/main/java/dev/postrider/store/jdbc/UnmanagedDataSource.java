package dev.postrider.store.jdbc;

import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * The data source for what Postrider does by itself: one that never hands out the connection of a framework's transaction. Committing on
 * such a connection would commit what the caller has not finished.
 *
 * <p>Spring's {@code TransactionAwareDataSourceProxy} does hand it out, so what lies below it is used.
 */
public final class UnmanagedDataSource {

    private static final String AWARE = "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy";
    private static final SpringCall TARGET =
            SpringCall.find("jdbc.datasource.DelegatingDataSource", "getTargetDataSource");

    private UnmanagedDataSource() {}

    /** The same data source, unless it or one that it wraps is aware of transactions. */
    public static DataSource of(DataSource dataSource) {
        List<DataSource> layers = layers(dataSource);
        int lowestAware = -1;
        for (int i = 0; i < layers.size() - 1; i++) {
            lowestAware = isAware(layers.get(i).getClass()) ? i : lowestAware;
        }
        return layers.get(lowestAware + 1);
    }

    /** The data source, and what it wraps, as far as Spring's wrappers tell. */
    static List<DataSource> layers(DataSource dataSource) {
        List<DataSource> layers = new ArrayList<>(List.of(dataSource));
        DataSource layer = dataSource;
        while (TARGET.isOf(layer) && TARGET.invoke(layer) instanceof DataSource target) {
            layers.add(target);
            layer = target;
        }
        return layers;
    }

    private static boolean isAware(Class<?> type) {
        return type != null && (type.getName().equals(AWARE) || isAware(type.getSuperclass()));
    }
}
