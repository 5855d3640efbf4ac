package dev.postrider.relay;

import dev.postrider.spi.DeliveryResult;
import java.time.Duration;

/**
 * How one send ended.
 *
 * @param result after the user's classifier has had its say
 * @param isBlamed whether the message itself has brought about the outage that {@code result} reports
 * @param took from the beginning of the send to its end, without what the worker did before it took note
 */
record Outcome(Entry entry, DeliveryResult result, boolean isBlamed, Duration took) {}
