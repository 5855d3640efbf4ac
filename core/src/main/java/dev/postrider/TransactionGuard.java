package dev.postrider;

import dev.postrider.spi.FrameworkTransactions;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Says on which connections messages may be written and handled, and where a transaction of our own may begin. Thread-safe.
 *
 * @param owner the variable in the calls that errors advise: {@code outbox} or {@code inbox}
 * @param joiningCall the method that takes part in the caller's transaction
 * @param poolDisablesAutoCommit whether auto-commit is off in connections that nobody uses yet
 * @param own the connections of transactions that we began and that are open
 */
record TransactionGuard(
        String owner,
        String joiningCall,
        boolean poolDisablesAutoCommit,
        List<FrameworkTransactions> frameworks,
        Set<Connection> own) {

    static TransactionGuard of(String owner, String joiningCall, boolean poolDisablesAutoCommit) {
        List<FrameworkTransactions> found =
                ServiceLoader.load(FrameworkTransactions.class, FrameworkTransactions.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        return new TransactionGuard(
                owner,
                joiningCall,
                poolDisablesAutoCommit,
                found,
                Collections.newSetFromMap(Collections.synchronizedMap(new IdentityHashMap<>())));
    }

    /**
     * Begins a transaction on a connection of its own.
     *
     * @throws AlreadyInTransactionException if the thread or the connection is in a transaction already
     */
    OwnTransaction begin(DataSource dataSource) {
        active().filter(framework -> framework.includes(dataSource)).ifPresent(framework -> {
            throw new AlreadyInTransactionException("The thread is already in a transaction of " + framework.framework()
                    + ". " + owner
                    + ".inTransaction(...) would begin a second one and commit it even if yours is rolled"
                    + " back. Call " + joiningCall + " with the connection of your transaction, from "
                    + framework.connectionCall());
        });
        return OwnTransaction.begin(this, dataSource);
    }

    /** The connection was just handed out by a data source. */
    void requireNoTransaction(boolean autoCommit) {
        if (!autoCommit && !poolDisablesAutoCommit) {
            throw new AlreadyInTransactionException(
                    "The data source returned a connection with auto-commit off, so it may"
                            + " be in a transaction already, which " + owner
                            + ".inTransaction(...) would commit. Inside a"
                            + " transaction call " + joiningCall
                            + " with its connection. If the pool disables auto-commit for all"
                            + " connections, say so with poolDisablesAutoCommit(true)");
        }
    }

    /** Refuses a connection on which nobody would commit or roll back what is written. */
    void requireTransaction(Connection connection, String consequence, String otherwise) {
        if (isAutoCommit(connection)) {
            throw new NoTransactionException(
                    "The connection is in auto-commit mode, " + consequence + ". " + advice(connection, otherwise));
        }
        boolean canTell = frameworks.stream().anyMatch(FrameworkTransactions::isPresent);
        if (poolDisablesAutoCommit && canTell && !isInFramework(connection) && !own.contains(connection)) {
            throw new NoTransactionException(
                    "The pool disables auto-commit (poolDisablesAutoCommit), and the thread is in no"
                            + " transaction on this database: nobody would commit what is written on this connection. "
                            + active().map(TransactionGuard::anotherDatabase)
                                    .orElse("Begin a transaction, or use " + owner + ".inTransaction(...)"));
        }
    }

    private boolean isInFramework(Connection connection) {
        return active().filter(framework -> framework.includes(connection)).isPresent();
    }

    private String advice(Connection connection, String otherwise) {
        Optional<FrameworkTransactions> active = active();
        if (active.isPresent()) {
            return active.filter(framework -> framework.includes(connection))
                    .map(framework -> "The thread is in a transaction of " + framework.framework()
                            + ", to which this connection does not belong: use that from " + framework.connectionCall())
                    .orElseGet(() -> anotherDatabase(active.get()));
        }
        return OwnTransaction.isOpenOnThisThread()
                ? "The thread is in a transaction of Postrider, to which this connection does not"
                        + " belong: use the one that it gives you, such as tx.connection()"
                : otherwise;
    }

    private static String anotherDatabase(FrameworkTransactions framework) {
        return "The thread is in a transaction of " + framework.framework()
                + ", but not in one on this database: begin it with the transaction manager of the outbox's data source";
    }

    /** Only where auto-commit says nothing must we know our own by heart. */
    void opened(Connection connection) {
        if (poolDisablesAutoCommit) {
            own.add(connection);
        }
    }

    void closed(Connection connection) {
        if (poolDisablesAutoCommit) {
            own.remove(connection);
        }
    }

    private Optional<FrameworkTransactions> active() {
        return frameworks.stream().filter(FrameworkTransactions::isActive).findFirst();
    }

    private static boolean isAutoCommit(Connection connection) {
        try {
            return connection.getAutoCommit();
        } catch (SQLException failure) {
            throw new StoreException("The connection does not say whether it is in a transaction", failure);
        }
    }
}
