package dev.postrider.spi;

import java.time.Duration;

/**
 * How an outbox stands.
 *
 * <p>Cheap on any backlog: beyond a bound the number of undelivered messages is an estimate.
 *
 * @param undelivered messages that are to be delivered, held ones included; not those that are delayed or dead
 * @param undeliveredIsExact whether {@code undelivered} was counted
 * @param held those of the undelivered that wait for a retry or behind one; counted up to a bound
 * @param delayed rows with a due time in the future; counted up to a bound
 * @param dead dead letters; counted up to a bound
 * @param kept rows in the audit trail, or delivered rows of an existing table; none without one
 * @param oldestAge age of the oldest undelivered message, held ones included; zero when there is none
 */
public record OutboxStats(
        long undelivered,
        boolean undeliveredIsExact,
        long held,
        long delayed,
        long dead,
        RowCount kept,
        Duration oldestAge) {}
