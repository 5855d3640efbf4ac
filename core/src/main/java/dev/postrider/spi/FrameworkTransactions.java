package dev.postrider.spi;

import java.sql.Connection;
import javax.sql.DataSource;

/**
 * Tells whether the calling thread is inside a transaction that a framework manages.
 *
 * <p>Found by {@link java.util.ServiceLoader}. Postrider asks before it begins a transaction of its own for a caller: inside a framework's
 * transaction on the same database a second one would be committed alone, and its messages would be sent even if the framework rolls back.
 * The JDBC stores bring an implementation for Spring. Implementations are thread-safe and fast.
 */
public interface FrameworkTransactions {

    /** The framework, as its users call it. */
    String framework();

    /** Whether this thread is inside a transaction of the framework; false where the framework is not used at all. */
    boolean isActive();

    /**
     * Whether the transaction that is active on this thread is one on the database of this data source. One on another database alone is
     * none of our business. True where the framework cannot tell.
     */
    default boolean includes(DataSource dataSource) {
        return isActive();
    }

    /**
     * Whether the transaction that is active on this thread is one on the database of this connection, which may be another connection to it.
     * True where the framework cannot tell.
     */
    default boolean includes(Connection connection) {
        return isActive();
    }

    /** Whether the framework is there, so that {@link #isActive} says something about every thread. */
    boolean isPresent();

    /** How a caller gets the connection of the active transaction, as Java code for error messages. */
    String connectionCall();
}
