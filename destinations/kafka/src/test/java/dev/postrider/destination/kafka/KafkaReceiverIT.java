package dev.postrider.destination.kafka;

import dev.postrider.testkit.ReceiverContract;
import dev.postrider.testkit.ReceiverFixture;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;

/** Failed messages wait where they are. */
class KafkaReceiverIT extends ReceiverContract {

    private final Broker broker = Servers.kafka();

    @Override
    protected ReceiverFixture newFixture() {
        return new KafkaReceiverFixture(broker.host() + ":" + broker.port());
    }
}
