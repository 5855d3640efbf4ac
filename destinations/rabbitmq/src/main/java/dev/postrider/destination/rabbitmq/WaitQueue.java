package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Ordering;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Moves a message that failed to a queue where it waits out its time, after which the broker puts it back; others of its key overtake it.
 *
 * <p>A rejection would take the same way by the broker alone, which drops what it cannot dead-letter when exchange or queue are gone. So
 * the message is published, confirmed and mandatory, with the record that a rejection leaves.
 */
final class WaitQueue implements RetryWay {

    /**
     * What the broker adds when the time is up, generously. A message that it makes larger than a frame would end every connection that
     * it is delivered on.
     */
    private static final int BROKERS_RECORD = 4_096;

    private final ParkingLotTopology topology;
    private final int maxRetries;
    private final ConfirmedMove moves;

    WaitQueue(ParkingLotTopology topology, int maxRetries, ConfirmedMove moves) {
        this.topology = topology;
        this.maxRetries = maxRetries;
        this.moves = moves;
    }

    @Override
    public Ordering ordering() {
        return Ordering.NONE;
    }

    @Override
    public int attemptOf(TakenMessage taken) {
        return 1 + DeathRecord.retriesFrom(topology.names().incoming(), taken.properties());
    }

    @Override
    public int maxAttempts() {
        return maxRetries + 1;
    }

    @Override
    public Optional<String> obstacle(RabbitmqDelivery delivery) {
        int frame = delivery.taken().session().connection().getFrameMax();
        Map<String, Object> headers = new HashMap<>(record(delivery));
        headers.putAll(delivery.taken().headers());
        return frame == 0 || HeaderFrame.bytes(headers) + BROKERS_RECORD <= frame
                ? Optional.empty()
                : Optional.of("Its headers leave no room for the record of a retry");
    }

    @Override
    public void retry(RabbitmqDelivery delivery, UnsettledDeliveries unsettled, Runnable whenReady) {
        moves.move(
                delivery.taken(),
                topology.names().deadLetterExchange(),
                topology.waitKey(delivery.attempt()),
                record(delivery),
                () -> {
                    unsettled.settled(delivery);
                    whenReady.run();
                });
    }

    private Map<String, Object> record(RabbitmqDelivery delivery) {
        return DeathRecord.rejected(
                delivery.taken(),
                topology.names().incoming(),
                delivery.message().topic(),
                delivery.attempt());
    }
}
