package dev.postrider.prove;

import dev.postrider.message.PostriderException;

/** A proof that could not be made: a mistake in what was asked for, or a server that did not do its part. */
public final class ProofException extends PostriderException {

    private static final long serialVersionUID = 1L;

    public ProofException(String message) {
        super(message);
    }

    public ProofException(String message, Throwable cause) {
        super(message, cause);
    }
}
