package dev.postrider.bus;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Receiver;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Publishes to a broker and subscribes to the same. */
final class BrokerEventBus implements EventBus {

    private final EventPublisher publisher;
    private final Function<String, ? extends Receiver> receivers;
    private final CodecRegistry codecs;

    BrokerEventBus(EventPublisher publisher, Function<String, ? extends Receiver> receivers, CodecRegistry codecs) {
        this.publisher = publisher;
        this.receivers = Objects.requireNonNull(receivers, "receivers");
        this.codecs = Objects.requireNonNull(codecs, "codecs");
    }

    @Override
    public <T> OutboxMessage publish(EventType<T> type, T data, PublishOptions options) {
        return publisher.publish(type, data, options);
    }

    @Override
    public List<OutboxMessage> publishAll(List<Publication> publications) {
        return publisher.publishAll(publications);
    }

    @Override
    public Running subscribe(String name, EventHandler<OutboxMessage> handler, Set<String> types) {
        Subscriber subscriber =
                Subscriber.builder(name, receivers.apply(name), codecs).build();
        try {
            register(subscriber, handler, types);
            subscriber.start();
        } catch (RuntimeException | Error failure) {
            subscriber.close();
            throw failure;
        }
        return new RunningSubscriber(subscriber);
    }

    private static void register(Subscriber subscriber, EventHandler<OutboxMessage> handler, Set<String> types) {
        if (types.isEmpty()) {
            subscriber.registerForRest(handler);
        } else {
            types.forEach(type -> subscriber.registerMessages(type, handler));
        }
    }

    private record RunningSubscriber(Subscriber subscriber) implements Running {

        @Override
        public CompletionStage<Void> termination() {
            return subscriber.termination();
        }

        @Override
        public void close() {
            subscriber.close();
        }
    }
}
