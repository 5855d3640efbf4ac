package dev.postrider.relay;

import dev.postrider.spi.DeliveryResult;

/**
 * How one send ended.
 *
 * @param result after the user's classifier has had its say
 * @param isBlamed whether the message itself has brought about the outage that {@code result} reports
 */
record Outcome(Entry entry, DeliveryResult result, boolean isBlamed) {}
