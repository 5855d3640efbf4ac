package dev.postrider;

import dev.postrider.message.PostriderException;

/** A message was to be enqueued or handled on a connection that has no open transaction. Nothing was written. */
public final class NoTransactionException extends PostriderException {

    private static final long serialVersionUID = 1L;

    NoTransactionException() {
        super("The connection is in auto-commit mode, so the messages would not share a transaction with your data."
                + " Call setAutoCommit(false) first, use outbox.inTransaction(...),"
                + " or allow it with Outbox.builder(store).allowAutoCommit(true)");
    }

    NoTransactionException(String message) {
        super(message);
    }
}
