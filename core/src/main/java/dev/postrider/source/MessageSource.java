package dev.postrider.source;

import dev.postrider.spi.DeadReason;
import java.util.List;

/**
 * A place from which messages come: any storage that can list what is not yet delivered and forget what is.
 *
 * <p>Called by one thread at a time, except for {@link #acknowledge} on behalf of an operator who discards dead letters. An
 * exception means that nothing is certain: the relay reports it, waits, and asks again.
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
