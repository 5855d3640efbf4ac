package dev.postrider.servers;

import dev.postrider.message.PostriderException;

/** No server of that name can be started here. Says which can, or which addresses to give instead. */
public final class NoServerException extends PostriderException {

    private static final long serialVersionUID = 1L;

    NoServerException(String message) {
        super(message);
    }
}
