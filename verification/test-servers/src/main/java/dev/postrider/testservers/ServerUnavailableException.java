package dev.postrider.testservers;

/** A server that a test needs cannot be had. The message lists what was tried and what to do. */
public final class ServerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerUnavailableException(String message) {
        super(message);
    }

    ServerUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
