package dev.postrider.bench.measure;

import dev.postrider.message.PostriderException;

/** A benchmark that could not be made, or whose messages did not all arrive. */
public final class BenchException extends PostriderException {

    private static final long serialVersionUID = 1L;

    public BenchException(String message) {
        super(message);
    }

    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
