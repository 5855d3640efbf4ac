/**
 * The outbox in PostgreSQL 13 and later.
 *
 * <p>Start at {@link dev.postrider.store.postgres.PostgresOutboxStore}. What is special to PostgreSQL is the exact scan by
 * difference of snapshots ({@code PostgresLaneScan}) and settling in single statements; all else is shared with the other
 * databases.
 */
@NullMarked
package dev.postrider.store.postgres;

import org.jspecify.annotations.NullMarked;
