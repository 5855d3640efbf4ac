package dev.postrider.proofservers;

import dev.postrider.prove.server.BrokerLink;
import dev.postrider.prove.server.StartedBroker;
import dev.postrider.testservers.PrivateBroker;

/** A broker that leads its clients nowhere else. */
class BrokerOfProof implements StartedBroker {

    private final PrivateBroker broker;

    BrokerOfProof(PrivateBroker broker) {
        this.broker = broker;
    }

    @Override
    public String uri() {
        return broker.uri();
    }

    @Override
    public BrokerLink cuttableLink() {
        return BrokerLink.to(uri());
    }

    @Override
    public final String description() {
        return broker.description();
    }

    @Override
    public final void killHard() {
        broker.killHard();
    }

    @Override
    public final void restart() {
        broker.restart();
    }

    @Override
    public final void close() {
        broker.close();
    }
}
