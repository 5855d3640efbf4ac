package dev.postrider.testkit;

import java.time.Instant;

/** A message in the audit trail of the in-memory store. */
record SentRow(StoredRow row, Instant deliveredAt) {}
