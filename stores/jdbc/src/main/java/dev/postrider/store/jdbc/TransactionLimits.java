package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.time.Duration;
import java.util.Optional;

/**
 * What a server is to end by itself.
 *
 * @param idle a transaction that stands idle for longer
 * @param statement a statement that takes longer; empty for none
 */
@Internal
public record TransactionLimits(Duration idle, Optional<Duration> statement) {}
