package dev.postrider.testkit;

import java.time.Instant;
import java.util.Optional;

/** The row of one lane. */
record LaneRecord(Optional<String> owner, long epoch, Instant leaseUntil, Optional<String> position) {}
