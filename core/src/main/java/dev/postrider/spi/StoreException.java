package dev.postrider.spi;

import dev.postrider.message.PostriderException;

/**
 * The store could not do what was asked, or cannot say whether it did.
 *
 * <p>Deadlocks, lock time-outs and serialization failures are retried by the store itself and arrive here only when they
 * persist. After this exception the outcome is unknown: the relay forgets what it holds of the lane and reads it again from the head.
 */
public class StoreException extends PostriderException {

    private static final long serialVersionUID = 1L;

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    public StoreException(String message) {
        super(message);
    }
}
