package dev.postrider.destination.rabbitmq;

import dev.postrider.testkit.ReceiverContract;
import dev.postrider.testkit.ReceiverFixture;
import java.time.Duration;

class ParkingLotPausesReceiverIT extends ReceiverContract {

    private static final Duration PAUSE = Duration.ofMillis(50);

    @Override
    protected ReceiverFixture newFixture() {
        return new QueueFixture(
                queue -> RabbitmqReceiver.parkingLot(queue)
                        .quorumQueues()
                        .retryPauses(PAUSE, PAUSE.multipliedBy(2))
                        .maxRetries(2),
                ".pl",
                3);
    }
}
