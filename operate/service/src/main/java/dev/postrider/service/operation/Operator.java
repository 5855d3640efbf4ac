package dev.postrider.service.operation;

import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OutboxStore.Part;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import java.util.Collection;
import java.util.Optional;

/**
 * What an operator does to one outbox: the one implementation behind the command line, the actuator endpoint and the console. The store writes
 * each change to the operation log, in the transaction that makes it, with the operator's name. Dead letters are the work of {@link DeadAction}.
 *
 * <p>Where processes do not share a part of the outbox, a change would reach no relay: then every method throws a {@link StoreException}
 * that says what to do instead. Thread-safe.
 *
 * @param name for the operation log
 */
public record Operator(OutboxStore store, String name) {

    /**
     * Pauses a destination for all relays, or resumes it.
     *
     * @param known the destinations that there are; empty where nobody knows. One that is paused can be resumed even if it is gone
     * @param isTrial changes nothing
     * @return whether it was paused before
     * @throws IllegalArgumentException if there is no such destination
     */
    public boolean setPaused(String destination, boolean isPause, Collection<String> known, boolean isTrial) {
        requireShared(store, Part.PAUSES);
        boolean wasPaused = store.pauses().paused().contains(destination);
        if (!wasPaused && !known.isEmpty() && !known.contains(destination)) {
            throw new IllegalArgumentException(
                    "The outbox has no destination '" + destination + "'; it has " + String.join(", ", known));
        }
        if (!isTrial && isPause) {
            store.pauses().pause(destination, name);
        } else if (!isTrial) {
            store.pauses().resume(destination, name);
        }
        return wasPaused;
    }

    /** Tries blocked messages at once, of this key or of all. Returns how many. */
    public int unblock(Optional<String> key) {
        requireShared(store, Part.BLOCKED);
        return store.unblock(key, name);
    }

    /** Tries a held message at once that waits for its next attempt. Returns whether it did: not if it is being tried, or is gone. */
    public boolean retryHeld(RowRef message) {
        requireShared(store, Part.BLOCKED);
        return store.retryHeld(message, name);
    }

    /** Deletes a held message for good; the next one of its key goes on. Returns whether it did: not if it is being tried, or is gone. */
    public boolean discardHeld(RowRef message) {
        requireShared(store, Part.BLOCKED);
        return store.discardHeld(message, name);
    }

    /** @throws StoreException if a change would reach no relay of another process */
    public static void requireShared(OutboxStore store, Part part) {
        store.whyNotShared(part).ifPresent(why -> {
            throw new StoreException(why);
        });
    }
}
