package dev.postrider.bus;

import dev.postrider.message.PostriderException;

/** An event can never be handled, however often it is tried: it is parked at once. Thrown by handlers and interceptors. */
public class UnprocessableEventException extends PostriderException {

    private static final long serialVersionUID = 1L;

    public UnprocessableEventException(String reason) {
        super(reason);
    }

    public UnprocessableEventException(String reason, Throwable cause) {
        super(reason, cause);
    }

    /** Whether this failure, or what caused it, is of this kind. */
    public static boolean isCauseOf(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof UnprocessableEventException) {
                return true;
            }
        }
        return false;
    }
}
