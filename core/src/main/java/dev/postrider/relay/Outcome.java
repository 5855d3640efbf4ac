package dev.postrider.relay;

import dev.postrider.spi.DeliveryResult;
import java.time.Duration;

/**
 * How one send ended.
 *
 * @param result after the user's classifier has had its say
 * @param fate what a failure means for the message
 * @param delay how long a message that steps back waits
 * @param took from the beginning of the send to its end, without what the worker did before it took note
 */
record Outcome(Entry entry, DeliveryResult result, Fate fate, Duration delay, Duration took) {}
