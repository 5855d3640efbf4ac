package dev.postrider.bus;

import dev.postrider.internal.Readable;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands events from one receiver to typed handlers.
 *
 * <p>Guarantees: every event is settled with its broker once its handler has ended; events of one key are handled one at a time and in
 * the order in which the receiver hands them over, others in parallel. An event that has no handler, whose data cannot be read, or whose
 * handler throws {@link UnprocessableEventException} is parked; one whose handler throws anything else arrives again. Whether a retried
 * event holds back its key is up to the receiver: see {@link Receiver#ordering}. Thread-safe.
 *
 * <pre>{@code
 * Subscriber subscriber = Subscriber.builder("billing", receiver, codecs).build();
 * subscriber.register(BOOK_CREATED, (book, context) -> bill(book));
 * subscriber.start();
 * }</pre>
 */
public final class Subscriber implements EventBus.Running {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriber.class);

    private enum State {
        NEW,
        STARTED,
        CLOSED
    }

    private final String name;
    private final Receiver receiver;
    private final SubscriberOptions options;
    private final HandlerRegistry handlers = new HandlerRegistry();
    private final HandlerThreads threads;
    private final EventProcessor processor;
    private volatile State state = State.NEW;

    private Subscriber(Builder builder) {
        this.name = builder.name;
        this.receiver = builder.receiver;
        this.options = builder.options;
        this.threads = new HandlerThreads(name, Math.min(options.threads(), receiver.prefetch()));
        this.processor = new EventProcessor(builder, handlers, () -> state == State.CLOSED, threads::isStopped);
    }

    /**
     * A subscriber to be set up.
     *
     * @param name the consuming service or module, such as {@code billing}: the inbox remembers handled events under it, and a receiver may
     *     derive the names of consumers from it. Queue, consumer group or durable name are the receiver's own options
     * @param receiver started and closed by the subscriber
     * @param codecs what event data can be read with
     */
    public static Builder builder(String name, Receiver receiver, CodecRegistry codecs) {
        return new Builder(name, receiver, codecs);
    }

    /**
     * Registers the handler of one event type.
     *
     * @throws RegistrationException if the type has one already, or the subscriber was started
     */
    public synchronized <T> Subscriber register(EventType<T> type, EventHandler<? super T> handler) {
        requireNew("register a handler for " + type.name());
        handlers.add(type, handler);
        return this;
    }

    /**
     * Registers a handler for all types that have no own one; it gets the message as it arrived.
     *
     * @throws RegistrationException if there is one already, or the subscriber was started
     */
    public synchronized Subscriber registerFallback(EventHandler<OutboxMessage> handler) {
        requireNew("register a handler");
        handlers.addFallback(handler);
        return this;
    }

    /** Starts with this handler, which gets messages of these types as they arrived, or of all if there are none. */
    synchronized Subscriber startFor(Set<String> types, EventHandler<OutboxMessage> handler) {
        try {
            if (types.isEmpty()) {
                registerFallback(handler);
            }
            types.forEach(type -> handlers.addMessages(type, handler));
            start();
            return this;
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    private void requireNew(String purpose) {
        if (state != State.NEW) {
            throw new RegistrationException(
                    "Cannot " + purpose + ": subscriber " + name + " was started; register all handlers before");
        }
    }

    /**
     * Starts the receiver, for the types that have handlers. If it does not start, everything is closed, and a supervisor makes a new
     * subscriber.
     *
     * @throws IllegalStateException if it was started before
     * @throws RegistrationException if there is no handler
     * @throws dev.postrider.spi.ReceiverException if the broker refuses
     */
    public synchronized void start() {
        if (state != State.NEW) {
            throw new IllegalStateException("Subscriber " + name + " was started before; make a new one");
        }
        if (handlers.isEmpty()) {
            throw new RegistrationException("Subscriber " + name + " has no handlers; register at least one");
        }
        state = State.STARTED;
        try {
            receiver.start(
                    new Subscription(name, handlers.types(), handlers.topics(), handlers.defaultKeys()),
                    delivery -> threads.execute(() -> processor.process(delivery)));
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
        receiver.termination().whenComplete((ended, failure) -> reportEnd(failure));
    }

    private void reportEnd(Throwable failure) {
        if (failure != null) {
            LOG.error(
                    "Subscriber {} receives nothing any more: receiver {} has failed", name, receiver.name(), failure);
        }
    }

    /** Ends when the receiver does: exceptionally, if it gave up. A supervisor then makes a new subscriber. */
    @Override
    public CompletionStage<Void> termination() {
        return receiver.termination();
    }

    public boolean isRunning() {
        return state == State.STARTED
                && !receiver.termination().toCompletableFuture().isDone();
    }

    /**
     * Takes no more events, waits for the handlers as long as {@link SubscriberOptions#drainTimeout} says, interrupts those that are left,
     * and closes the receiver. What was not handled arrives again; an interrupt counts as no failure of the event.
     */
    @Override
    public synchronized void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        receiver.stop();
        drain();
        threads.stopNow();
        receiver.close();
    }

    private void drain() {
        try {
            if (!threads.awaitIdle(options.drainTimeout())) {
                LOG.warn(
                        "Handlers of {} have not ended within {}; interrupting them, their events arrive again",
                        name,
                        Readable.time(options.drainTimeout()));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Collects the options of a subscriber; not thread-safe. */
    public static final class Builder {

        final String name;
        final CodecRegistry codecs;
        final List<HandleInterceptor> interceptors = new ArrayList<>();
        final Receiver receiver;
        private SubscriberOptions options = SubscriberOptions.defaults();

        private Builder(String name, Receiver receiver, CodecRegistry codecs) {
            this.name = Objects.requireNonNull(name, "name");
            this.receiver = Objects.requireNonNull(receiver, "receiver");
            this.codecs = Objects.requireNonNull(codecs, "codecs");
        }

        /** Adds an interceptor inside of those given before. */
        public Builder intercept(HandleInterceptor interceptor) {
            interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
            return this;
        }

        /** Threads and drain time-out; default {@link SubscriberOptions#defaults}. */
        public Builder options(SubscriberOptions value) {
            this.options = Objects.requireNonNull(value, "options");
            return this;
        }

        public Subscriber build() {
            return new Subscriber(this);
        }
    }
}
