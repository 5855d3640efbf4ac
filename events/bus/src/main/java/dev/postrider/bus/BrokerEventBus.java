package dev.postrider.bus;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Receiver;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Publishes to a broker and subscribes to the same. */
record BrokerEventBus(EventPublisher publisher, Function<String, ? extends Receiver> receivers, CodecRegistry codecs)
        implements EventBus {

    BrokerEventBus {
        Objects.requireNonNull(receivers, "receivers");
        Objects.requireNonNull(codecs, "codecs");
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
            subscriber.registerMessages(types, handler);
            subscriber.start();
            return subscriber;
        } catch (RuntimeException | Error failure) {
            subscriber.close();
            throw failure;
        }
    }
}
