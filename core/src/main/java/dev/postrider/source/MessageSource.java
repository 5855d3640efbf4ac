package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A place from which messages come: any storage that can list what is not yet delivered and forget what is.
 *
 * <p>Called by one thread at a time, except for {@link #acknowledge} on behalf of an operator who discards dead letters. If a method fails
 * that reads or changes the storage, nothing is certain: the relay reports it, waits, and asks again.
 *
 * @param <T> what the storage holds
 */
public interface MessageSource<T> {

    /**
     * The oldest items that were not acknowledged, at most {@code limit}, the oldest first. An item comes again in every answer
     * until it is acknowledged; the relay remembers which ones it has. Fewer than {@code limit} means that there are no more.
     *
     * <p>Messages of one key must not appear before an earlier one of that key has appeared: order is kept from what was
     * fetched on.
     */
    List<T> fetch(int limit) throws Exception;

    /**
     * The id of an item: the same at every fetch and after every restart, because consumers recognise duplicates by it. For other ids
     * than UUIDs see {@link MessageId#of}. Without an id nothing can be done with an item, so the relay stops while this fails.
     */
    MessageId id(T item);

    /** The message to send for an item, with its key; its own id is replaced. If this fails, the item is given up. */
    OutboxMessage toMessage(T item);

    /** The place of an item in the order of its key; lower goes first. By default items go out as they were fetched. */
    default long sequence(T item) {
        return 0;
    }

    /** When an item was written, for the delay and age in metrics. By default when it was fetched for the first time. */
    default Optional<Instant> createdAt(T item) {
        return Optional.empty();
    }

    /**
     * These items were delivered and must not be returned again: delete them, or mark them. Must be idempotent, since after an
     * exception the same items come once more.
     */
    void acknowledge(List<T> items) throws Exception;

    /**
     * This item will not be delivered: the destination rejected it, its attempts ran out, or it is no message. Move it out of
     * the way, so that {@link #fetch} no longer returns it.
     *
     * <p>By default nothing is done. Then the item stays in the source and is a dead letter in the memory of this process: an
     * operator can retry or discard it through {@link dev.postrider.spi.OutboxStore#deadLetters()}, and after a restart it is
     * tried again. Every fetch reads past it, so this is for sources in which few items fail. If the method throws, the item is a
     * dead letter all the same, and the method is called again later.
     */
    default void giveUp(T item, DeadReason reason, String error) throws Exception {}
}
