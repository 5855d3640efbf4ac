package dev.postrider.message;

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

    public PostriderException(String message, Throwable cause) {
        super(message, cause);
    }
}
