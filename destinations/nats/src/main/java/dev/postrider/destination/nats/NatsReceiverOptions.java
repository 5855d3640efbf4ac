package dev.postrider.destination.nats;

import dev.postrider.relay.Backoff;
import dev.postrider.spi.ReceiverListener;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The checked options of a receiver; see {@link NatsReceiverBuilder} for their meaning. */
record NatsReceiverOptions(
        NatsOptions access,
        String consumer,
        String stream,
        List<String> subjects,
        Optional<StreamConfiguration> streamToCreate,
        boolean mayCreateConsumer,
        boolean mayCreateParkingStream,
        String parkingSubject,
        int prefetch,
        int maxAttempts,
        Backoff backoff,
        Duration ackWait,
        Duration closeTimeout,
        ReceiverListener listener,
        Optional<String> keyAttribute) {

    String name() {
        return "nats/" + stream + "/" + consumer;
    }
}
