package dev.postrider.bus.interceptor;

import dev.postrider.internal.Readable;
import dev.postrider.message.OutboxMessage;
import dev.postrider.message.PostriderException;
import java.time.Duration;

/** A handler took longer than it may and was interrupted; its event arrives again. */
public final class HandlerTimeoutException extends PostriderException {

    private static final long serialVersionUID = 1L;

    HandlerTimeoutException(OutboxMessage message, Duration limit, Throwable cause) {
        super(
                "The handler of " + message.type() + " took longer than " + Readable.time(limit) + " for event "
                        + message.id(),
                cause);
    }
}
