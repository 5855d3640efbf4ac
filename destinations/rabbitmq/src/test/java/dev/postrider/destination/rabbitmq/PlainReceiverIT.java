package dev.postrider.destination.rabbitmq;

import dev.postrider.testkit.ReceiverContract;
import dev.postrider.testkit.ReceiverFixture;
import java.time.Duration;

class PlainReceiverIT extends ReceiverContract {

    private static final Duration PAUSE = Duration.ofMillis(50);

    @Override
    protected ReceiverFixture newFixture() {
        return new QueueFixture(
                queue -> RabbitmqReceiver.plain(queue).retryPause(PAUSE, PAUSE).maxAttempts(3), ".dlx", 3);
    }
}
