package dev.postrider.destination.rabbitmq;

import dev.postrider.testkit.ReceiverContract;
import dev.postrider.testkit.ReceiverFixture;
import java.time.Duration;

class ParkingLotReceiverIT extends ReceiverContract {

    private static final Duration PAUSE = Duration.ofMillis(50);

    @Override
    protected ReceiverFixture newFixture() {
        return new QueueFixture(
                queue -> RabbitmqReceiver.parkingLot(queue).retryPause(PAUSE).maxRetries(2), ".pl", 3);
    }
}
