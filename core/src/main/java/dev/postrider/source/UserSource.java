package dev.postrider.source;

import static java.util.Objects.requireNonNull;

import dev.postrider.message.Due;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user's source and functions. Their failures are told apart from ours.
 *
 * <p>Without an id nothing can be done with an item, so a failing id function stops the relay until it is repaired. Any other
 * function that fails makes the item unreadable, and the rest goes on.
 */
record UserSource<T>(
        MessageSource<T> source,
        String name,
        Function<T, MessageId> id,
        Function<T, OutboxMessage> toMessage,
        BiFunction<T, OutboxMessage, Optional<String>> key,
        ToLongFunction<T> sequence,
        BiFunction<T, Instant, Instant> createdAt,
        MessageLimits limits,
        int lookAhead) {

    private static final Logger LOG = LoggerFactory.getLogger(SourceOutboxStore.class);

    List<T> fetch(int limit) {
        List<T> values = call("fetch", () -> source.fetch(limit));
        if (values == null) {
            throw new StoreException("The source " + name + " returned null from fetch; return an empty list");
        }
        return values;
    }

    void acknowledge(List<Item<T>> items) {
        if (!items.isEmpty()) {
            List<T> values = items.stream().map(item -> item.value).toList();
            call("acknowledge", () -> {
                source.acknowledge(values);
                return values;
            });
        }
    }

    /** Returns whether the source knows now; a failure must not keep other messages waiting. */
    boolean giveUp(Item<T> dead) {
        try {
            return call("giveUp", () -> {
                source.giveUp(dead.value, dead.reason, dead.error);
                return true;
            });
        } catch (StoreException failure) {
            LOG.warn("{}; it is told again later", failure.getMessage(), failure.getCause());
            return false;
        }
    }

    private <R> R call(String operation, Callable<R> call) {
        try {
            return call.call();
        } catch (Exception failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new StoreException("The source " + name + " failed to " + operation + ": " + failure, failure);
        }
    }

    MessageId idOf(T value) {
        if (value == null) {
            throw new StoreException("The source " + name + " returned null among its items; return items only");
        }
        try {
            return requireNonNull(id.apply(value), "the id is null");
        } catch (RuntimeException failure) {
            throw new StoreException(
                    "The id function of " + name + " failed; every item needs an id that is always the same", failure);
        }
    }

    Item<T> read(MessageId messageId, T value, Instant now) {
        try {
            OutboxMessage message = withIdAndKey(messageId, value);
            limits.check(message);
            Instant created = requireNonNull(createdAt.apply(value, now), "createdAt");
            return new Item<>(value, message, sequence.applyAsLong(value), created, Optional.empty());
        } catch (RuntimeException failure) {
            OutboxMessage standIn = OutboxMessage.builder("unreadable")
                    .id(messageId)
                    .type("unreadable")
                    .build();
            String problem =
                    failure instanceof InvalidMessageException invalid ? invalid.getMessage() : failure.toString();
            return new Item<>(value, standIn, 0, now, Optional.of(problem));
        }
    }

    private OutboxMessage withIdAndKey(MessageId messageId, T value) {
        OutboxMessage message = requireNonNull(toMessage.apply(value), "toMessage returned null");
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
        key.apply(value, message).ifPresent(copy::key);
        return copy.build();
    }
}
