package dev.postrider.relay;

import java.time.Duration;

/**
 * A place of a destination that cannot take messages, though the destination can be reached.
 *
 * @param place a topic, exchange, stream or subject, in the broker's words
 * @param reason why, and what to do about it
 * @param since how long ago this relay found out
 */
public record UnavailablePlace(String destination, String place, String reason, Duration since) {}
