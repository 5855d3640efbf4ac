package dev.postrider.message;

/**
 * Makes the id of a message that was not given one.
 *
 * <p>Implementations are thread-safe and never return the same id twice.
 */
@FunctionalInterface
public interface MessageIdGenerator {

    MessageId next();

    /** UUIDv7 by the system's clock; see {@link UuidV7Generator} for what it guarantees. */
    static MessageIdGenerator uuidV7() {
        return UuidV7Generator.SYSTEM;
    }
}
