/**
 * Delivers messages to Apache Kafka.
 *
 * <p>Messages come in from a relay and go out as records of an idempotent producer, acknowledged by all in-sync replicas. Start
 * at {@link dev.postrider.destination.kafka.KafkaDestination}; what a record looks like is said by {@code RecordWriter} and its
 * two forms, what a failure means by {@code KafkaFailures}.
 */
@NullMarked
package dev.postrider.destination.kafka;

import org.jspecify.annotations.NullMarked;
