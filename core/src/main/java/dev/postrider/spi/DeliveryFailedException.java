package dev.postrider.spi;

import dev.postrider.message.PostriderException;
import dev.postrider.spi.DeliveryResult.Failed;

/**
 * Thrown by the code of a {@link BlockingDestination} that knows why a message could not be delivered.
 *
 * <pre>{@code
 * if (response.statusCode() == 503) {
 *     throw new DeliveryFailedException(DeliveryResult.outage("billing is in maintenance"));
 * }
 * }</pre>
 */
public final class DeliveryFailedException extends PostriderException {

    private static final long serialVersionUID = 1L;

    private final transient Failed result;

    /** Ends the send with this result. */
    public DeliveryFailedException(Failed result) {
        super(result.reason(), result.cause().orElse(null));
        this.result = result;
    }

    /** How the send ended. */
    public Failed result() {
        return result;
    }
}
