package dev.postrider.bus;

import dev.postrider.message.PostriderException;

/** A handler could not be registered. The text says which one, why, and what to do. */
public final class RegistrationException extends PostriderException {

    private static final long serialVersionUID = 1L;

    RegistrationException(String message) {
        super(message);
    }
}
