package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;

/**
 * One attempt to deliver one message, as listeners and logs see it.
 *
 * @param destination the name of the destination that the message goes to
 * @param lane the lane that the message came from
 * @param message the message itself; never log or tag its payload
 * @param number which attempt it is, from 1; 0 for a message that has not been tried
 * @param batch the number of the read that brought it into memory, see {@link RelayListener#fetched}; 0 for a message that was only looked at
 */
public record Attempt(String destination, int lane, OutboxMessage message, int number, long batch) {}
