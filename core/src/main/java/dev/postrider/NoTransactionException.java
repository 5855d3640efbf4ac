package dev.postrider;

import dev.postrider.message.PostriderException;

/** A message was to be enqueued or handled on a connection that has no open transaction. Nothing was written. */
public final class NoTransactionException extends PostriderException {

    private static final long serialVersionUID = 1L;

    /** @param message why there is none, and what to do */
    public NoTransactionException(String message) {
        super(message);
    }
}
