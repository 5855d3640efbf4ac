package dev.postrider.destination.rabbitmq;

import dev.postrider.testkit.BrokerContract;
import dev.postrider.testkit.BrokerFixture;

class RabbitmqDestinationIT extends BrokerContract {

    @Override
    protected BrokerFixture newFixture(BrokerFixture.Setup setup) {
        return new RabbitmqFixture();
    }
}
