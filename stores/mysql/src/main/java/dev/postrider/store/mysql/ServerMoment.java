package dev.postrider.store.mysql;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a statement said about the server that ran it.
 *
 * @param startedAt see {@link Incarnation#startedAt}; empty if it was not asked for
 * @param lockWaits empty if it was not asked for, or is not known
 * @param readOnly whether the server refuses writes, as replicas do
 */
record ServerMoment(
        String server, OptionalLong startedAt, Optional<RowLockWaits> lockWaits, boolean readOnly, Instant time) {}
