package dev.postrider.relay;

import dev.postrider.relay.Places.Wait;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;

/**
 * How one send ended.
 *
 * @param result after the user's classifier has had its say
 * @param fate what a failure means for the message
 * @param stepBack how long a message that steps back waits, and why
 * @param took from the beginning of the send to its end, without what the worker did before it took note
 */
record Outcome(TrackedMessage row, DeliveryResult result, Fate fate, Wait stepBack, Duration took) {

    /** Whether nothing more of its line may begin until it is decided what this means. */
    boolean stopsItsLine() {
        return result instanceof DeliveryResult.Failed && !(result instanceof DeliveryResult.Reject);
    }
}
