package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Ordering;
import java.util.Map;

/**
 * Sends a message that failed to a queue where it waits out its time, after which the broker puts it back; others of its key overtake it.
 *
 * <p>With one pause for all attempts the message is rejected, and the broker itself moves it and counts. With a pause per attempt the
 * message is moved to the queue of that pause, safely, and the count travels with it.
 */
final class WaitQueue implements RetryWay {

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
    public void retry(RabbitmqDelivery delivery, UnsettledDeliveries unsettled, Runnable whenReady) {
        Runnable whenGone = () -> {
            unsettled.settled(delivery);
            whenReady.run();
        };
        if (topology.hasOnePause()) {
            delivery.taken().reject();
            whenGone.run();
        } else {
            Map<String, Object> headers = Map.of(
                    DeathRecord.ATTEMPTS,
                    delivery.attempt(),
                    DeathRecord.EXCHANGE,
                    delivery.message().topic());
            moves.move(
                    delivery.taken(),
                    topology.names().deadLetterExchange(),
                    topology.waitKey(delivery.attempt()),
                    headers,
                    whenGone);
        }
    }
}
