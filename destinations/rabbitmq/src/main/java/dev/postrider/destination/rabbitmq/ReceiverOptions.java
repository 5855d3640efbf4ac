package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.ReceiverListener;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The checked options of a receiver; see {@link RabbitmqReceiverBuilder} for their meaning. */
record ReceiverOptions(
        BrokerAccess access,
        QueueNames names,
        int prefetch,
        Optional<String> keyAttribute,
        Topology topology,
        boolean declaresTopology,
        EventBindings bindings,
        Optional<Duration> recoveryTimeout,
        LongSupplier nanoTime,
        ReceiverListener listener) {}
