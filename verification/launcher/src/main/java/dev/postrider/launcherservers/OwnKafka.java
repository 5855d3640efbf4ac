package dev.postrider.launcherservers;

import dev.postrider.servers.BrokerLink;
import dev.postrider.testkit.TcpFaultProxy;
import dev.postrider.testservers.PrivateKafka;

/** A Kafka node, which tells its clients where to connect to: on a port of its own, to the proxy. */
final class OwnKafka extends OwnBroker {

    private final PrivateKafka kafka;

    OwnKafka(PrivateKafka kafka) {
        super(kafka);
        this.kafka = kafka;
    }

    @Override
    public String uri() {
        return "kafka://" + kafka.bootstrapServers();
    }

    @Override
    public BrokerLink cuttableLink() {
        return new BrokerLink(
                "kafka://127.0.0.1:" + kafka.advertisedPort(),
                TcpFaultProxy.to("127.0.0.1", kafka.proxiedPort(), kafka.advertisedPort()));
    }
}
