/**
 * What all JDBC stores share, over the differences named in {@link dev.postrider.store.jdbc.Dialect}.
 *
 * <p>In: a data source, a dialect, table names. Out: an {@link dev.postrider.spi.OutboxStore} that lacks only the scan of its
 * database. Public for the store modules beside it, which are its only callers; users meet those. Start reading at
 * {@link dev.postrider.store.jdbc.JdbcOutboxStore}.
 *
 * <p>Transaction boundaries: every method of a port is one short transaction of its own, except insert, which runs in the
 * caller's. Times are computed by the database.
 */
@NullMarked
package dev.postrider.store.jdbc;

import org.jspecify.annotations.NullMarked;
