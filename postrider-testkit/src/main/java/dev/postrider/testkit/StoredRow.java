package dev.postrider.testkit;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.RowRef;
import java.time.Instant;

/** A message as the in-memory store keeps it. */
record StoredRow(RowRef ref, OutboxMessage message, Instant createdAt) {}
