package dev.postrider.bus;

import dev.postrider.Outbox;
import dev.postrider.OutboxTransaction;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.spi.Destination;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.internal.ContainedTracing;
import java.sql.Connection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a service publishes events: codecs, default options and interceptors, said once; publishers for each place are made from it at no
 * cost.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * EventPublishers publishers = EventPublishers.builder(codecs).defaults(PublishOptions.none().withSource("/books")).build();
 * outbox.inTransaction(dataSource, tx -> publishers.in(tx).publish(BOOK_CREATED, book));
 * }</pre>
 */
public final class EventPublishers {

    /** The source of events of a service that says none. */
    public static final String DEFAULT_SOURCE = "postrider";

    private final List<PublishInterceptor> interceptors;
    private final PublishOptions defaults;
    private final MessageEncoder encoder;
    private final TraceContext trace;

    private EventPublishers(Builder builder) {
        this.interceptors = List.copyOf(builder.interceptors);
        this.defaults = builder.defaults;
        this.encoder = new MessageEncoder(builder.codecs, builder.idGenerator, builder.clock);
        this.trace = ContainedTracing.of(builder.trace);
    }

    public static Builder builder(CodecRegistry codecs) {
        return new Builder(codecs);
    }

    /** A publisher that sends straight to this destination and waits for its acknowledgement. */
    public EventPublisher to(Destination destination) {
        return over(new DestinationSender(Objects.requireNonNull(destination, "destination"), trace));
    }

    /** A publisher that writes to the outbox within this transaction: what is published is sent if and only if it commits. */
    public EventPublisher in(OutboxTransaction transaction) {
        Objects.requireNonNull(transaction, "transaction");
        return over(transaction::enqueue);
    }

    /** The same for a caller who begins and commits by himself, and wakes the relay after the commit. */
    public EventPublisher in(Outbox outbox, Connection connection) {
        Objects.requireNonNull(outbox, "outbox");
        Objects.requireNonNull(connection, "connection");
        return over(messages -> outbox.enqueue(connection, messages));
    }

    private EventPublisher over(EventSender sender) {
        return new InterceptedPublisher(interceptors, defaults, encoder, sender);
    }

    /** Collects what publishers share; not thread-safe. */
    public static final class Builder {

        private final CodecRegistry codecs;
        private final List<PublishInterceptor> interceptors = new ArrayList<>();
        private PublishOptions defaults = PublishOptions.none();
        private MessageIdGenerator idGenerator = MessageIdGenerator.uuidV7();
        private Clock clock = Clock.systemUTC();
        private TraceContext trace = TraceContext.NONE;

        private Builder(CodecRegistry codecs) {
            this.codecs = Objects.requireNonNull(codecs, "codecs");
        }

        /** Options of every call that does not say otherwise; several calls add up, the later wins. Default: none. */
        public Builder defaults(PublishOptions options) {
            this.defaults = options.orElse(defaults);
            return this;
        }

        /** Adds an interceptor inside of those given before. */
        public Builder intercept(PublishInterceptor interceptor) {
            interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
            return this;
        }

        /** Makes the ids of events that are given none. Default: UUIDv7. */
        public Builder idGenerator(MessageIdGenerator value) {
            this.idGenerator = Objects.requireNonNull(value, "idGenerator");
            return this;
        }

        /** Says the time of events that are given none. Default: the system's clock. */
        public Builder clock(Clock value) {
            this.clock = Objects.requireNonNull(value, "clock");
            return this;
        }

        /**
         * Makes a span of each event that is sent {@linkplain EventPublishers#to straight to a destination}; a relay makes those of events in an outbox. An
         * interceptor carries the trace to whoever handles the event. Default: none.
         */
        public Builder tracing(TraceContext value) {
            this.trace = Objects.requireNonNull(value, "tracing");
            return this;
        }

        public EventPublishers build() {
            return new EventPublishers(this);
        }
    }
}
