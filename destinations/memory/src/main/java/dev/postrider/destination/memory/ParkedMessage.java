package dev.postrider.destination.memory;

import dev.postrider.message.OutboxMessage;

/** A message that a {@link MemoryReceiver} set aside, and why. */
public record ParkedMessage(OutboxMessage message, String reason, int attempts) {}
