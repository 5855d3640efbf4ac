package dev.postrider.message;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The root of every exception that Postrider throws by itself.
 *
 * <p>Unchecked, because a caller can rarely do more than roll back. Subclasses are named for the situation and carry its
 * subject as fields. A message says what happened, to what, and what to do; it never holds a payload or a secret.
 */
public class PostriderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PostriderException(String message) {
        super(message);
    }

    public PostriderException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Never null: every failure says what happened. */
    @Override
    public String getMessage() {
        return Objects.requireNonNullElse(super.getMessage(), "");
    }
}
