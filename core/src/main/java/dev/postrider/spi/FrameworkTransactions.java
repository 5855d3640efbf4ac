package dev.postrider.spi;

/**
 * Tells whether the calling thread is inside a transaction that a framework manages.
 *
 * <p>Found by {@link java.util.ServiceLoader}. Postrider asks before it begins a transaction of its own for a caller: inside a framework's
 * transaction a second one would be committed alone, and its messages would be sent even if the framework rolls back. The
 * JDBC stores bring an implementation for Spring. Implementations are thread-safe and fast.
 */
public interface FrameworkTransactions {

    /** The framework, as its users call it. */
    String framework();

    /** Whether this thread is inside a transaction of the framework; false where the framework is not used at all. */
    boolean isActive();

    /** Whether the framework is there, so that {@link #isActive} says something about every thread. */
    boolean isPresent();

    /** How a caller gets the connection of the active transaction, as Java code for error messages. */
    String connectionCall();
}
