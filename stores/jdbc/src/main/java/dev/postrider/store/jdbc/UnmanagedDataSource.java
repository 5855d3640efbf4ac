package dev.postrider.store.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The data source for what Postrider does by itself: one that never hands out the connection of a framework's transaction. Committing on
 * such a connection would commit what the caller has not finished.
 *
 * <p>Spring's {@code TransactionAwareDataSourceProxy} does hand it out, so what lies below it is used.
 */
public final class UnmanagedDataSource {

    private static final Optional<Class<?>> AWARE = aware();
    private static final SpringCall TARGET =
            SpringCall.find("jdbc.datasource.DelegatingDataSource", "getTargetDataSource");

    private UnmanagedDataSource() {}

    /** The same data source, unless it or one that it wraps is aware of transactions. */
    public static DataSource of(DataSource dataSource) {
        List<DataSource> layers = layers(dataSource);
        int lowestAware = -1;
        for (int i = 0; i < layers.size() - 1; i++) {
            lowestAware = isAware(layers.get(i)) ? i : lowestAware;
        }
        return layers.get(lowestAware + 1);
    }

    /** The data source, and what it wraps, as far as Spring's wrappers, or those of others around an aware one, tell. */
    static List<DataSource> layers(DataSource dataSource) {
        List<DataSource> layers = new ArrayList<>(List.of(dataSource));
        Optional<DataSource> below = below(dataSource);
        while (below.isPresent()) {
            layers.add(below.get());
            below = below(below.get());
        }
        return layers;
    }

    private static Optional<DataSource> below(DataSource layer) {
        if (TARGET.isOf(layer)) {
            return TARGET.invoke(layer) instanceof DataSource target ? Optional.of(target) : Optional.empty();
        }
        try {
            return AWARE.isPresent() && layer.isWrapperFor(AWARE.get())
                    ? Optional.of((DataSource) layer.unwrap(AWARE.get()))
                    : Optional.empty();
        } catch (SQLException | RuntimeException | AbstractMethodError unknown) {
            return Optional.empty();
        }
    }

    private static Optional<Class<?>> aware() {
        try {
            return Optional.of(Class.forName(
                    "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy",
                    true,
                    UnmanagedDataSource.class.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError absent) {
            return Optional.empty();
        }
    }

    private static boolean isAware(DataSource layer) {
        return AWARE.isPresent() && AWARE.get().isInstance(layer);
    }
}
