package dev.postrider.spi;

import dev.postrider.message.PostriderException;

/** The data of an event could not be written or read. Trying again does not help. The text holds none of the data. */
public final class CodecException extends PostriderException {

    private static final long serialVersionUID = 1L;

    public CodecException(String message) {
        super(message);
    }

    public CodecException(String message, Throwable cause) {
        super(message, cause);
    }
}
