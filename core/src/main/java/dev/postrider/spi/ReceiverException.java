package dev.postrider.spi;

import dev.postrider.message.PostriderException;
import org.jspecify.annotations.Nullable;

/** A receiver could not start, or has ended although nobody closed it. The text says which one, why, and what to do. */
public class ReceiverException extends PostriderException {

    private static final long serialVersionUID = 1L;

    public ReceiverException(String message) {
        super(message);
    }

    public ReceiverException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
