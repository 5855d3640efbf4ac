package dev.postrider.testservers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A single Kafka node. One engine starts one node. */
final class KafkaEngine implements BrokerEngine {
    private final Map<String, String> settings;
    private KafkaPorts ports = new KafkaPorts(0, 0, 0, 0, 0, 0);

    KafkaEngine(Map<String, String> settings) {
        this.settings = settings;
    }

    @Override
    public BrokerKind kind() {
        return BrokerKind.KAFKA;
    }

    @Override
    public List<InstallationSource> sources() {
        return List.of(KafkaProgram::fromMaven);
    }

    @Override
    public boolean hasTlsPort() {
        return true;
    }

    @Override
    public List<String> prepare(Installation installation, Path data, int port, int tlsPort) {
        ports = KafkaPorts.pick(port, tlsPort);
        var node = new KafkaNode(1, ports);
        return node.prepare(installation, data, List.of(node), settings);
    }

    /** Those of the last node that was prepared. */
    KafkaPorts ports() {
        return ports;
    }

    @Override
    public ContainerImage container() {
        throw new ServerUnavailableException(
                "a Kafka container cannot tell clients a port that is chosen later; the Maven artifacts run everywhere");
    }
}
