package dev.postrider.bus;

import dev.postrider.message.PostriderException;

/** The name of an event type does not have the form {@code <service>.<event>}. */
public final class InvalidEventTypeException extends PostriderException {

    private static final long serialVersionUID = 1L;

    InvalidEventTypeException(String name) {
        super("Event type '" + name + "' is not <service>.<event>; name it as in example.books.v1.BookCreated");
    }
}
