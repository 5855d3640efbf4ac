package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.spi.FrameworkTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
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
        return isActive()
                && anyBound((key, bound) -> isSame(key, bound, dataSource)).orElse(true);
    }

    /** Where nothing is bound, a connection in auto-commit mode is surely in no transaction. */
    @Override
    public boolean includes(Connection connection) {
        return isActive()
                && anyBound((key, bound) -> url(bound).equals(url(connection)))
                        .orElseGet(() -> isInTransaction(connection));
    }

    /** Whether a connection in a transaction is bound to the thread that fits; empty if none is bound at all. */
    private static Optional<Boolean> anyBound(BoundTest test) {
        Optional<Boolean> found = Optional.empty();
        for (Map.Entry<?, ?> bound : ((Map<?, ?>) MANAGER_RESOURCES.invoke(null)).entrySet()) {
            if (HOLDER_CONNECTION.isOf(bound.getValue())) {
                if (isBound(bound.getKey(), bound.getValue(), test)) {
                    return Optional.of(true);
                }
                found = Optional.of(false);
            }
        }
        return found;
    }

    private static boolean isBound(Object key, Object holder, BoundTest test) {
        try {
            Connection bound = (Connection) HOLDER_CONNECTION.invoke(holder);
            // In auto-commit mode it was bound by a look at the data source during a transaction on another one.
            return !bound.getAutoCommit() && test.fits(key, bound);
        } catch (SQLException | RuntimeException unknown) {
            return true;
        }
    }

    private static boolean isInTransaction(Connection connection) {
        try {
            return !connection.getAutoCommit();
        } catch (SQLException unknown) {
            return true;
        }
    }

    /** A wrapper that we cannot look into leads to the same address all the same. */
    private static boolean isSame(Object key, Connection bound, DataSource asked) throws SQLException {
        if (UnmanagedDataSource.layers(asked).contains(key)) {
            return true;
        }
        try (Connection connection = UnmanagedDataSource.of(asked).getConnection()) {
            return url(connection).equals(url(bound));
        }
    }

    private static String url(Connection connection) throws SQLException {
        return String.valueOf(connection.getMetaData().getURL());
    }

    /** A question about a connection that is bound to the thread. */
    @FunctionalInterface
    private interface BoundTest {
        boolean fits(Object key, Connection bound) throws SQLException;
    }

    @Override
    public String connectionCall() {
        return "DataSourceUtils.getConnection(dataSource)";
    }
}
