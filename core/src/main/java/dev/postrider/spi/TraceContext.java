package dev.postrider.spi;

import java.util.Optional;

/**
 * Where the trace of the running operation is kept: the port to a tracing library.
 *
 * <p>A trace parent is the value of the W3C header {@code traceparent}. Implementations are thread-safe and never throw: a broken
 * trace must not stop a message.
 */
public interface TraceContext {

    /** The trace parent of what this thread is doing now. */
    Optional<String> current();

    /**
     * Makes the work that this thread does until the scope is closed part of that trace.
     *
     * @param name what is done, for display: {@code handle example.books.v1.BookCreated}
     */
    Scope continueFrom(String traceParent, String name);

    /** Work that is part of a trace. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
