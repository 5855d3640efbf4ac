package dev.postrider.launcherservers;

import dev.postrider.servers.BrokerLink;
import dev.postrider.servers.StartedBroker;
import dev.postrider.testservers.PrivateBroker;
import java.util.OptionalLong;

/** A broker that leads its clients nowhere else. */
class OwnBroker implements StartedBroker {

    private final PrivateBroker broker;

    OwnBroker(PrivateBroker broker) {
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
    public final OptionalLong processId() {
        return broker.processId();
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
