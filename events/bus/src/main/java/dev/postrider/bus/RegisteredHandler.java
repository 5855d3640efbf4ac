package dev.postrider.bus;

import dev.postrider.message.OutboxMessage;
import java.util.Objects;
import java.util.function.BiFunction;

/** A handler with the way to make its argument. */
final class RegisteredHandler<T> {

    private final BiFunction<OutboxMessage, CodecRegistry, T> decoder;
    private final EventHandler<? super T> handler;

    private RegisteredHandler(BiFunction<OutboxMessage, CodecRegistry, T> decoder, EventHandler<? super T> handler) {
        this.decoder = decoder;
        this.handler = handler;
    }

    static <T> RegisteredHandler<T> ofData(EventType<T> type, EventHandler<? super T> handler) {
        return new RegisteredHandler<>(
                (message, codecs) -> codecs.find(message.contentType(), type.dataClass())
                        .decode(message.payload(), type.dataClass()),
                handler);
    }

    static RegisteredHandler<OutboxMessage> ofMessages(EventHandler<OutboxMessage> handler) {
        return new RegisteredHandler<>((message, codecs) -> message, handler);
    }

    /** The handling of one message, decoded already. */
    Handling bind(OutboxMessage message, CodecRegistry codecs) {
        T event = Objects.requireNonNull(decoder.apply(message, codecs), "The codec made null of the data");
        return new Handling(event, context -> handler.handle(event, context));
    }

    /** A decoded event and what to do about it. */
    record Handling(Object event, Action action) {}

    /** The handler with its event filled in. */
    @FunctionalInterface
    interface Action {
        void run(EventContext context) throws Exception;
    }
}
