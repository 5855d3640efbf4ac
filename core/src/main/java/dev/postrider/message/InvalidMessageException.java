package dev.postrider.message;

import dev.postrider.internal.Printable;

/**
 * A message was refused before anything was written.
 *
 * <p>The text names the field, the length or form of its value, and the limit; never the value of a payload.
 */
public final class InvalidMessageException extends PostriderException {

    private static final long serialVersionUID = 1L;

    private final String field;

    public InvalidMessageException(String field, String problem) {
        super(Printable.of("Invalid message: " + field + " " + problem));
        this.field = field;
    }

    /** The field at fault, such as {@code key} or {@code headers}. */
    public String field() {
        return field;
    }
}
