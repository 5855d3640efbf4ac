package dev.postrider.store.mysql;

import dev.postrider.message.PostriderException;

/** The server's version or settings do not let the store keep its promises. The message says what to change. */
public final class UnsupportedServerException extends PostriderException {

    private static final long serialVersionUID = 1L;

    UnsupportedServerException(String message) {
        super(message);
    }
}
