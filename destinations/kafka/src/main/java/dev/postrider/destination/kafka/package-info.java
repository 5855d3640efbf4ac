/**
 * Delivers messages to Apache Kafka, and receives from it.
 *
 * <p>Messages come in from a relay and go out as records of an idempotent producer, acknowledged by all in-sync replicas. Start
 * at {@link dev.postrider.destination.kafka.KafkaDestination}; what a record looks like is said by {@code RecordWriter} and its
 * two forms, what a failure means by {@code KafkaFailures}. For the other way start at {@link
 * dev.postrider.destination.kafka.KafkaReceiver}; which record may be committed is said by {@code OpenPartitions}.
 */
@NullMarked
package dev.postrider.destination.kafka;

import org.jspecify.annotations.NullMarked;
