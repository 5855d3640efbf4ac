package dev.postrider.destination.rabbitmq;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The arguments with which queues are declared; a queue that exists with others is refused by the broker. */
record QueueArguments(boolean isQuorum, boolean hasSingleActiveConsumer) {

    static final QueueArguments CLASSIC = new QueueArguments(false, false);

    /** Of a queue from which messages only go where somebody takes them. */
    Map<String, Object> plain() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        if (isQuorum) {
            arguments.put("x-queue-type", "quorum");
        }
        return arguments;
    }

    /** Of the queue that is consumed. */
    Map<String, Object> incoming() {
        Map<String, Object> arguments = plain();
        if (hasSingleActiveConsumer) {
            arguments.put("x-single-active-consumer", true);
        }
        return arguments;
    }

    Map<String, Object> incoming(String deadLetterExchange) {
        Map<String, Object> arguments = incoming();
        arguments.put("x-dead-letter-exchange", deadLetterExchange);
        return arguments;
    }

    Map<String, Object> incoming(String deadLetterExchange, String deadLetterKey) {
        Map<String, Object> arguments = incoming(deadLetterExchange);
        arguments.put("x-dead-letter-routing-key", deadLetterKey);
        return arguments;
    }

    Map<String, Object> waiting(String deadLetterExchange, String deadLetterKey, Duration pause) {
        Map<String, Object> arguments = plain();
        arguments.put("x-dead-letter-exchange", deadLetterExchange);
        arguments.put("x-dead-letter-routing-key", deadLetterKey);
        // A long, as other services declare it: the broker compares.
        arguments.put("x-message-ttl", pause.toMillis());
        return arguments;
    }
}
