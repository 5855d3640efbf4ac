package dev.postrider.destination.kafka;

import dev.postrider.testkit.ReceiverContract;
import dev.postrider.testkit.ReceiverFixture;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.time.Duration;

/** Failed messages go through retry topics. */
class KafkaRetryTopicsIT extends ReceiverContract {

    private final Broker broker = Servers.kafka();

    @Override
    protected ReceiverFixture newFixture() {
        return new KafkaReceiverFixture(
                broker.host() + ":" + broker.port(),
                options -> options.retryTopics(Duration.ofMillis(50), Duration.ofMillis(100)));
    }
}
