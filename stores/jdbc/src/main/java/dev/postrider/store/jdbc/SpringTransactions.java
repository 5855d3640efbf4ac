package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.spi.FrameworkTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The transactions of Spring, where its classes are present. By reflection, so that nothing here depends on Spring, and users of it
 * need to configure nothing.
 *
 * <p>Spring binds the connection of a transaction to the thread, by its data source. A transaction without any such connection, of JTA for
 * example, may be one on any database.
 */
@Internal
public final class SpringTransactions implements FrameworkTransactions {

    private static final SpringCall MANAGER_IS_ACTIVE =
            SpringCall.find("transaction.support.TransactionSynchronizationManager", "isActualTransactionActive");
    private static final SpringCall MANAGER_IS_SYNCHRONIZED =
            SpringCall.find("transaction.support.TransactionSynchronizationManager", "isSynchronizationActive");
    private static final SpringCall MANAGER_RESOURCES =
            SpringCall.find("transaction.support.TransactionSynchronizationManager", "getResourceMap");
    private static final SpringCall HOLDER_CONNECTION =
            SpringCall.find("jdbc.datasource.ConnectionHolder", "getConnection");

    /** For {@link java.util.ServiceLoader}. */
    public SpringTransactions() {}

    @Override
    public String framework() {
        return "Spring";
    }

    @Override
    public boolean isPresent() {
        return MANAGER_IS_ACTIVE.exists();
    }

    /** When a transaction has ended, Spring still says that it is active to those that it tells, but synchronizes no longer. */
    @Override
    public boolean isActive() {
        return isPresent()
                && (boolean) MANAGER_IS_ACTIVE.invoke(null)
                && (boolean) MANAGER_IS_SYNCHRONIZED.invoke(null);
    }

    @Override
    public boolean includes(DataSource dataSource) {
        if (!isActive()) {
            return false;
        }
        boolean hasConnection = false;
        for (Map.Entry<?, ?> bound : ((Map<?, ?>) MANAGER_RESOURCES.invoke(null)).entrySet()) {
            if (HOLDER_CONNECTION.isOf(bound.getValue())) {
                hasConnection = true;
                if (isSame(bound.getKey(), bound.getValue(), dataSource)) {
                    return true;
                }
            }
        }
        return !hasConnection;
    }

    /** A wrapper that we cannot look into leads to the same address all the same. */
    private static boolean isSame(Object key, Object holder, DataSource asked) {
        try {
            Connection bound = (Connection) HOLDER_CONNECTION.invoke(holder);
            if (bound.getAutoCommit()) {
                // Bound by a look at the data source during a transaction on another one.
                return false;
            }
            return UnmanagedDataSource.layers(asked).contains(key) || isSameDatabase(bound, asked);
        } catch (SQLException | RuntimeException unknown) {
            return true;
        }
    }

    private static boolean isSameDatabase(Connection bound, DataSource asked) throws SQLException {
        try (Connection connection = UnmanagedDataSource.of(asked).getConnection()) {
            return String.valueOf(connection.getMetaData().getURL())
                    .equals(String.valueOf(bound.getMetaData().getURL()));
        }
    }

    @Override
    public String connectionCall() {
        return "DataSourceUtils.getConnection(dataSource)";
    }
}
