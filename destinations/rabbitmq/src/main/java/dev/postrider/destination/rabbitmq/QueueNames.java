package dev.postrider.destination.rabbitmq;

import java.time.Duration;

/** What belongs to an incoming queue, by the names that other services know as well. */
record QueueNames(String incoming) {

    static final String WAIT_KEY = "wait";
    static final String RETRY_KEY = "retry";
    static final String PARKING_LOT_KEY = "parkingLot";

    private static final int LONGEST_SUFFIX = 24;

    QueueNames {
        if (incoming.isBlank()) {
            throw new IllegalArgumentException("queue is blank, expected a name such as billing");
        }
        AmqpText.shortString("queue", incoming + "x".repeat(LONGEST_SUFFIX));
    }

    /** An exchange, and for a plain receiver the queue at it. */
    String deadLetterExchange() {
        return incoming + ".dlx";
    }

    String waitQueue(Duration ownPause) {
        return waitQueue() + "." + ownPause.toMillis();
    }

    String waitQueue() {
        return incoming + ".wait";
    }

    String parkingLot() {
        return incoming + ".pl";
    }
}
