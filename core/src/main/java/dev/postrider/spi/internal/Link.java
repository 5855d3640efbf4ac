package dev.postrider.spi.internal;

import dev.postrider.spi.DeliveryResult;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a broker, from its opening to its end; it does not reconnect, a new one takes its place. Any thread may cut it, the
 * rest is for the thread of the {@link LinkSender}.
 *
 * @param <W> what goes over the wire
 */
public interface Link<W> {

    boolean isUsable();

    /**
     * Why this message cannot be published now, if so: it ends like this.
     *
     * @throws IOException if the connection was lost
     */
    Optional<DeliveryResult> refusal(W wire) throws IOException;

    /**
     * Publishes a claimed message, and ends it when the broker has answered.
     *
     * @throws IOException if the connection was lost
     */
    void publish(PendingSend<W> send) throws IOException;

    /** What it means that publishing failed. Cuts the link if the message may still be on its way. */
    DeliveryResult failed(Throwable failure);

    /** Ends the connection at once; everything outstanding on it ends with this outcome. */
    void cut(DeliveryResult outcome);

    /** Ends what is outstanding on a connection that is gone. */
    void cutAsLost();

    /** Ends the connection as its protocol wants it, and what is outstanding with it. */
    void close();

    /** There is no connection to be had; the message is for people. */
    final class NoLinkException extends Exception {
        public NoLinkException(String message, @Nullable Exception cause) {
            super(message, cause);
        }
    }

    /** Opens links. */
    @FunctionalInterface
    interface Opener<L> {
        L open() throws NoLinkException;
    }
}
