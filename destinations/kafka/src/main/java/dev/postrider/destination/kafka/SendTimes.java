package dev.postrider.destination.kafka;

import java.time.Duration;

/**
 * How the time for one send is divided.
 *
 * <p>A first record for a topic waits for the topic to be found, up to a quarter of the time. Then the producer has it, for as
 * long as Kafka's {@code delivery.timeout.ms}; what is left covers the producer's own waiting for room and a busy machine.
 *
 * @param total the longest time in which a send ends
 */
record SendTimes(Duration total) {

    /** To find a topic that was not used before. */
    Duration lookup() {
        return total.dividedBy(4);
    }

    /** How long the producer may block whoever calls it: for room in its buffer, or for a topic that has vanished. */
    Duration block() {
        return total.dividedBy(20);
    }

    /** From taking a record to its end. */
    Duration delivery() {
        return total.minus(lookup()).minus(block().multipliedBy(2));
    }

    /** For each call of a transactional producer: of the four that a record waits for, together with the wait before. */
    Duration transactionCall() {
        return total.multipliedBy(3).dividedBy(20);
    }

    /** Until a transaction takes the record, its topic's lookup included. */
    Duration beforeTransaction() {
        return total.multipliedBy(3).dividedBy(10);
    }

    /** For one request, so that there is time for a second one. */
    Duration request() {
        return delivery().dividedBy(2);
    }
}
