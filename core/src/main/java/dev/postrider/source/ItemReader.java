package dev.postrider.source;

import dev.postrider.message.Due;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StoreException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Turns what a source returns into messages, by the user's functions.
 *
 * <p>Without an id nothing can be done with an item, so a failing id function stops the relay until it is repaired. Any other
 * function that fails makes the item unreadable, and the rest goes on.
 */
record ItemReader<T>(
        String source,
        Function<T, MessageId> id,
        Function<T, OutboxMessage> toMessage,
        Optional<Function<T, Optional<String>>> key,
        Optional<ToLongFunction<T>> sequence,
        Optional<Function<T, Instant>> createdAt,
        MessageLimits limits) {

    MessageId idOf(T value) {
        if (value == null) {
            throw new StoreException("The source " + source + " returned null among its items; return items only");
        }
        try {
            return Objects.requireNonNull(id.apply(value), "the id is null");
        } catch (RuntimeException failure) {
            throw new StoreException(
                    "The id function of " + source + " failed; every item needs an id that is always the same",
                    failure);
        }
    }

    Tracked<T> read(T value, MessageId messageId, Instant now) {
        try {
            OutboxMessage message = withIdAndKey(value, messageId);
            limits.check(message);
            long number = sequence.isPresent() ? sequence.get().applyAsLong(value) : 0;
            Instant created = createdAt.isPresent() ? createdAt.get().apply(value) : now;
            return new Tracked<>(
                    value, message, number, Objects.requireNonNull(created, "createdAt"), Optional.empty());
        } catch (RuntimeException failure) {
            return unreadable(value, messageId, now, problem(failure));
        }
    }

    private OutboxMessage withIdAndKey(T value, MessageId messageId) {
        OutboxMessage message = Objects.requireNonNull(toMessage.apply(value), "toMessage returned null");
        if (!message.due().equals(Due.NOW) || message.dedupKey().isPresent()) {
            throw new InvalidMessageException(
                    "toMessage", "gave a due time or a dedup key; a source decides itself what it returns, and when");
        }
        OutboxMessage.Builder copy = OutboxMessage.builder(message.topic())
                .id(messageId)
                .type(message.type())
                .headers(message.headers())
                .contentType(message.contentType())
                .payload(message.payload());
        keyOf(value, message).ifPresent(copy::key);
        return copy.build();
    }

    private Optional<String> keyOf(T value, OutboxMessage message) {
        return key.isPresent() ? key.get().apply(value) : message.key();
    }

    private static String problem(RuntimeException failure) {
        return failure instanceof InvalidMessageException invalid ? invalid.getMessage() : failure.toString();
    }

    private Tracked<T> unreadable(T value, MessageId messageId, Instant now, String problem) {
        OutboxMessage standIn = OutboxMessage.builder("unreadable")
                .id(messageId)
                .type("unreadable")
                .build();
        return new Tracked<>(value, standIn, 0, now, Optional.of(problem));
    }
}
