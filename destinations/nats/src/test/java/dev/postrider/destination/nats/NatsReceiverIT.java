package dev.postrider.destination.nats;

import dev.postrider.testkit.ReceiverContract;
import dev.postrider.testkit.ReceiverFixture;

class NatsReceiverIT extends ReceiverContract {

    @Override
    protected ReceiverFixture newFixture() {
        return new NatsReceiverFixture();
    }
}
