package dev.postrider;

import dev.postrider.message.PostriderException;

/**
 * A transaction of its own was asked for where one is open already. Nothing was written.
 *
 * <p>A second transaction would be committed whatever becomes of the first, so messages of rolled-back data would be sent. The
 * message says what to call instead.
 */
public final class AlreadyInTransactionException extends PostriderException {

    private static final long serialVersionUID = 1L;

    AlreadyInTransactionException(String message) {
        super(message);
    }
}
