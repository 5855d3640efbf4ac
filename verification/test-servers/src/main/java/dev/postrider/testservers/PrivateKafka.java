package dev.postrider.testservers;

import dev.postrider.servers.BrokerLink;
import dev.postrider.servers.TcpFaultProxy;

/** A Kafka node for one test alone; see {@link PrivateBroker}. Topics are not made by accident: create them first. */
public final class PrivateKafka extends PrivateBroker {
    private final KafkaPorts ports;

    PrivateKafka(PrivateBroker started, KafkaPorts ports) {
        this(started.origin(), started.instance(), ports);
    }

    PrivateKafka(String origin, Instance instance, KafkaPorts ports) {
        super(BrokerAddress.local(BrokerKind.KAFKA, ports.plain()), origin, instance, ports.tls());
        this.ports = ports;
    }

    /** Where clients connect to without encryption or account. */
    public String bootstrapServers() {
        return host() + ":" + port();
    }

    /** For clients without account, unlike that of other brokers. */
    @Override
    public String uri() {
        return "kafka://" + bootstrapServers();
    }

    /** A node tells its clients where to connect to: on a port of its own, to the proxy. */
    @Override
    public BrokerLink cuttableLink() {
        return new BrokerLink(
                "kafka://127.0.0.1:" + advertisedPort(),
                TcpFaultProxy.to("127.0.0.1", proxiedPort(), advertisedPort()));
    }

    /** The port where clients must name {@link #user()} and {@link #password()} by SASL/PLAIN. */
    public int saslPort() {
        return ports.sasl();
    }

    /** The port that a fault proxy connects to, which then must listen on {@link #advertisedPort()}. */
    public int proxiedPort() {
        return ports.proxied();
    }

    /** The port to which clients of {@link #proxiedPort()} are led. */
    public int advertisedPort() {
        return ports.advertised();
    }
}
