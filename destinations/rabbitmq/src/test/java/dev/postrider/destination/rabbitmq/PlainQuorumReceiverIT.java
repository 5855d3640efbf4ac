package dev.postrider.destination.rabbitmq;

import dev.postrider.testkit.ReceiverContract;
import dev.postrider.testkit.ReceiverFixture;
import java.time.Duration;

class PlainQuorumReceiverIT extends ReceiverContract {

    private static final Duration PAUSE = Duration.ofMillis(50);

    @Override
    protected ReceiverFixture newFixture() {
        return new QueueFixture(
                queue -> RabbitmqReceiver.plain(queue)
                        .quorumQueues()
                        .requeue()
                        .retryPause(PAUSE, PAUSE)
                        .maxAttempts(3),
                ".dlx",
                3);
    }
}
