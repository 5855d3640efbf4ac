package dev.postrider.destination.rabbitmq;

import java.time.Duration;
import java.util.List;

/** The checked options of a destination; see {@link RabbitmqDestinationBuilder} for their meaning. */
record RabbitmqOptions(
        String name,
        BrokerAccess access,
        boolean declaresExchanges,
        List<String> checkedQueues,
        int channels,
        int maxInFlight,
        int maxPayloadBytes,
        Duration deliveryTimeout) {

    private static final Duration LONGEST_MARGIN = Duration.ofMillis(500);

    /** When a send is given up, a little before it must have ended: ending it takes time as well. */
    Duration confirmTimeout() {
        Duration tenth = deliveryTimeout.dividedBy(10);
        return deliveryTimeout.minus(tenth.compareTo(LONGEST_MARGIN) < 0 ? tenth : LONGEST_MARGIN);
    }
}
