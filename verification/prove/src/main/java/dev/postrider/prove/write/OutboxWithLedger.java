package dev.postrider.prove.write;

import dev.postrider.Outbox;
import javax.sql.DataSource;

/**
 * What writers write to.
 *
 * @param dataSource how they reach the database
 * @param ledger which has a row for each key that they use
 */
public record OutboxWithLedger(DataSource dataSource, Outbox outbox, Ledger ledger) {}
