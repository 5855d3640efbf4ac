package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** The checked options of a destination; see {@link RabbitmqDestinationBuilder} for their meaning. */
record RabbitmqOptions(
        String name,
        List<Address> addresses,
        String user,
        String password,
        String virtualHost,
        Optional<SSLContext> tls,
        boolean declaresExchanges,
        int channels,
        int maxInFlight,
        int maxPayloadBytes,
        Duration deliveryTimeout,
        Duration connectTimeout,
        Consumer<ConnectionFactory> customizer) {

    private static final Duration LONGEST_MARGIN = Duration.ofMillis(500);

    /** When a send is given up, a little before it must have ended: ending it takes time as well. */
    Duration confirmTimeout() {
        Duration tenth = deliveryTimeout.dividedBy(10);
        return deliveryTimeout.minus(tenth.compareTo(LONGEST_MARGIN) < 0 ? tenth : LONGEST_MARGIN);
    }

    /** No password in it. */
    @Override
    public String toString() {
        return "RabbitmqOptions[name=" + name + ", addresses=" + addresses + ", user=" + user + "]";
    }
}
