/**
 * The outbox in MySQL 8.0.17 and newer, MariaDB 10.6 and newer, and TiDB 7.5 and newer.
 *
 * <p>In: a data source of either driver, mysql-connector-j or mariadb-java-client. Out: an
 * {@link dev.postrider.spi.OutboxStore}. Start reading at {@link dev.postrider.store.mysql.MysqlOutboxStore}, which builds the
 * store, then at {@link dev.postrider.store.mysql.MysqlLaneScan}, which holds the reasoning about late commits; everything
 * else is package-private detail of these two.
 */
@NullMarked
package dev.postrider.store.mysql;

import org.jspecify.annotations.NullMarked;
