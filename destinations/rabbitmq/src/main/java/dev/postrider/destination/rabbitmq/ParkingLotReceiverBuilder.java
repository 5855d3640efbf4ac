package dev.postrider.destination.rabbitmq;

import dev.postrider.internal.Range;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.internal.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects the options of a receiver with a parking lot; see {@link RabbitmqReceiver#parkingLot}. Not thread-safe. */
public final class ParkingLotReceiverBuilder extends RabbitmqReceiverBuilder<ParkingLotReceiverBuilder> {

    private static final Logger LOG = LoggerFactory.getLogger(ParkingLotReceiverBuilder.class);
    private static final Duration MOVE_TIMEOUT = Duration.ofSeconds(10);
    private static final int NO_PAYLOAD_LIMIT = 512 << 20;

    private int maxRetries = 3;
    private List<Duration> pauses = List.of(Duration.ofSeconds(15));

    ParkingLotReceiverBuilder(String queue) {
        super(queue);
    }

    @Override
    ParkingLotReceiverBuilder self() {
        return this;
    }

    /**
     * How often a message that failed is delivered again: deliveries after the first, so that 3 means up to 4 attempts. Then it is parked.
     * Default: 3. Range: 0 to 1,000,000.
     */
    public ParkingLotReceiverBuilder maxRetries(int value) {
        this.maxRetries = Range.of("maxRetries", value, 0, 1_000_000);
        return this;
    }

    /**
     * How long a message that failed waits, in the queue {@code <queue>.wait}. The broker does not change the time of a queue that exists:
     * delete it while it is empty. Default: 15 seconds. Range: 1 ms to 1 day.
     */
    public ParkingLotReceiverBuilder retryPause(Duration value) {
        return retryPauses(value);
    }

    /**
     * A pause of its own for each attempt: after the first failure the first, and so on; after those the last one. Each other than the
     * first has a queue {@code <queue>.wait.<milliseconds>}. Range: each 1 ms to 1 day.
     */
    public ParkingLotReceiverBuilder retryPauses(Duration first, Duration... next) {
        this.pauses = Stream.concat(Stream.of(first), Stream.of(next)).toList();
        pauses.forEach(pause -> Range.of("retryPause", pause, Duration.ofMillis(1), Duration.ofDays(1)));
        return this;
    }

    @Override
    public RabbitmqReceiver build() {
        ParkingLotTopology topology = new ParkingLotTopology(names(), arguments(), pauses);
        ReceiverOptions options = options(topology);
        Timer timer = new Timer("postrider-" + names().incoming() + "-timer");
        ConfirmedMove moves =
                new ConfirmedMove(names().incoming(), publisher(), timer, session -> mend(options, session));
        return new RabbitmqReceiver(options, new ParkingLotSettlement(topology, maxRetries, moves), timer);
    }

    private RabbitmqDestination publisher() {
        RabbitmqOptions publishing = new RabbitmqOptions(
                names().incoming() + "-parking",
                access(),
                DeclaredExchanges.NONE,
                List.of(),
                1,
                2 * prefetch(),
                NO_PAYLOAD_LIMIT,
                MOVE_TIMEOUT,
                false);
        return new RabbitmqDestination(publishing, EventMapping.DEFAULT);
    }

    private static void mend(ReceiverOptions options, ConsumerSession session) {
        if (!options.declaresTopology()) {
            return;
        }
        try (TopologySteps steps = new TopologySteps(session.connection())) {
            options.topology().declare(steps);
        } catch (IOException | ReceiverException refused) {
            LOG.warn(
                    "The queues of receiver {} cannot be declared again",
                    options.names().incoming(),
                    refused);
        }
    }
}
