package dev.postrider.spi;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the trace of the running operation is kept: the port to a tracing library.
 *
 * <p>A trace parent is the value of the W3C header {@code traceparent}. Only {@link #current} and {@link #continueFrom} must be
 * implemented; an implementation that makes spans overrides the others. Implementations are thread-safe and never throw: a broken
 * trace must not stop a message. Whatever one throws nevertheless is logged and otherwise ignored.
 */
public interface TraceContext {

    /** Knows no trace and makes no spans, at no cost. */
    TraceContext NONE = new TraceContext() {
        @Override
        public Optional<String> current() {
            return Optional.empty();
        }

        @Override
        public Scope continueFrom(String traceParent, String name) {
            return TraceSpan.NO_SCOPE;
        }

        @Override
        public Map<String, String> capture() {
            return Map.of();
        }
    };

    /** The trace parent of what this thread is doing now. */
    Optional<String> current();

    /**
     * Makes the work that this thread does until the scope is closed part of that trace.
     *
     * @param name what is done, for display: {@code handle example.books.v1.BookCreated}
     */
    Scope continueFrom(String traceParent, String name);

    /**
     * The headers that carry the trace of what this thread is doing now: {@code traceparent}, and where there are such, {@code tracestate}
     * and {@code baggage}. Empty outside a trace. Unless it is overridden it is {@link #current()} alone.
     */
    default Map<String, String> capture() {
        return current().map(parent -> Map.of(Headers.TRACE_PARENT, parent)).orElseGet(Map::of);
    }

    /** The same for this message, which is about to be written. An implementation may make a span of its creation. */
    default Map<String, String> capture(OutboxMessage message) {
        return capture();
    }

    /** Begins the span of one attempt to send a message. It is ended by the relay. No span, unless it is overridden. */
    default TraceSpan sending(Sending sending) {
        return TraceSpan.NONE;
    }

    /**
     * Begins the span of a message that is sent straight to a destination, without an outbox. It is ended by whoever sends. No span, unless it
     * is overridden.
     */
    default TraceSpan publishing(Destination destination, OutboxMessage message) {
        return TraceSpan.NONE;
    }

    /**
     * Begins the span of one attempt to process a message that was received. It is ended by whoever processes it. Unless it is overridden
     * it is {@link #continueFrom} the trace parent that arrived with the message.
     */
    default TraceSpan processing(Processing processing) {
        return processing
                .traceParent()
                .<TraceSpan>map(parent -> () ->
                        continueFrom(parent, "handle " + processing.message().type()))
                .orElse(TraceSpan.NONE);
    }

    /** Work that is part of a trace. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * One attempt to send a message.
     *
     * @param outbox the {@linkplain OutboxStore#name() name} of the outbox
     * @param destination where the message goes
     * @param message the message as it is sent
     * @param context its lane, and how many attempts have failed before; without a span
     * @param waited the time since it was written, by the database's clock
     */
    record Sending(
            String outbox, Destination destination, OutboxMessage message, SendContext context, Duration waited) {

        public Sending {
            Objects.requireNonNull(outbox, "outbox");
            Objects.requireNonNull(destination, "destination");
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(context, "context");
            Objects.requireNonNull(waited, "waited");
        }

        /** The number of the attempt, from 1. */
        public int attempt() {
            return context.failedAttempts() + 1;
        }

        public int lane() {
            return context.run().tenure().lane();
        }
    }

    /**
     * One attempt to process a message that was received.
     *
     * @param subscriber who processes it
     * @param system the kind of broker that it came from, see {@link Receiver#system()}
     * @param message the message as it arrived
     * @param attempt the number of the attempt, from 1, as well as the broker can tell
     */
    record Processing(String subscriber, String system, OutboxMessage message, int attempt) {

        public Processing {
            Objects.requireNonNull(subscriber, "subscriber");
            Objects.requireNonNull(system, "system");
            Objects.requireNonNull(message, "message");
        }

        /** What arrived as a plain header, where brokers' clients put theirs; else that of the creation of the message. */
        public Optional<String> traceParent() {
            Headers headers = message.headers();
            return headers.get(Headers.TRACE_PARENT).or(() -> headers.get(Headers.CREATION_TRACE_PARENT));
        }
    }
}
