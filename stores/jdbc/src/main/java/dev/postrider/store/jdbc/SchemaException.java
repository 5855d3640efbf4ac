package dev.postrider.store.jdbc;

import dev.postrider.message.PostriderException;

/** The tables of an outbox are missing, or are not those that this store needs. The message says what to do. */
public final class SchemaException extends PostriderException {

    private static final long serialVersionUID = 1L;

    public SchemaException(String message) {
        super(message);
    }
}
