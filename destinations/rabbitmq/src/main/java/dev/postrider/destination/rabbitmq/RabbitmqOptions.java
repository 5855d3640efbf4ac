package dev.postrider.destination.rabbitmq;

import java.time.Duration;
import java.util.List;

/** The checked options of a destination; see {@link RabbitmqDestinationBuilder} for their meaning. */
record RabbitmqOptions(
        String name,
        BrokerAccess access,
        DeclaredExchanges declared,
        List<String> checkedQueues,
        int channels,
        int maxInFlight,
        int maxPayloadBytes,
        Duration deliveryTimeout,
        boolean pipelinesKeys) {}
