/**
 * Two relays that share an outbox in PostgreSQL and deliver to Kafka. Start reading at
 * {@link dev.postrider.examples.tworelayskafka.TwoRelaysKafka}.
 */
@NullMarked
package dev.postrider.examples.tworelayskafka;

import org.jspecify.annotations.NullMarked;
