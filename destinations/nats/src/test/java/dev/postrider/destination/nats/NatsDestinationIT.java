package dev.postrider.destination.nats;

import dev.postrider.testkit.BrokerContract;
import dev.postrider.testkit.BrokerFixture;

class NatsDestinationIT extends BrokerContract {

    @Override
    protected BrokerFixture newFixture(BrokerFixture.Setup setup) {
        return new NatsFixture();
    }
}
