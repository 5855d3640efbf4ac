package dev.postrider.spi;

/**
 * One operation of a trace, begun already. Ended once, by {@link #end} or {@link #fail}; what follows has no effect. Thread-safe.
 *
 * <p>A destination that hands its message to a client on another thread than the one it was sent on makes the span current there, so that the
 * client's own spans become part of it:
 *
 * <pre>{@code
 * TraceContext.Scope scope = context.span().makeCurrent();
 * try {
 *     client.publish(message);
 * } finally {
 *     scope.close();
 * }
 * }</pre>
 */
@FunctionalInterface
public interface TraceSpan {

    /** Closes nothing. */
    TraceContext.Scope NO_SCOPE = () -> {};

    /** Records nothing, at no cost. */
    TraceSpan NONE = () -> NO_SCOPE;

    /** Makes it the current span of this thread until the scope is closed, on the same thread. May be called any number of times. */
    TraceContext.Scope makeCurrent();

    /** Adds an attribute, named as the tracing library wants it, such as {@code messaging.destination.partition.id}. */
    default void tag(String name, String value) {}

    /** The operation has succeeded. */
    default void end() {}

    /**
     * The operation has failed.
     *
     * @param errorType a short word or the name of an exception's class, of which there are few
     * @param reason one sentence for a person, without payload or secret
     */
    default void fail(String errorType, String reason) {}
}
