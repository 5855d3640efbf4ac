package dev.postrider.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import org.junit.jupiter.api.Test;

class KafkaServerIT extends BrokerServerContract {
    @Override
    Broker shared() {
        return Servers.kafka();
    }

    @Override
    PrivateBroker startPrivate() {
        return KafkaServer.startPrivate();
    }

    /** It expects TLS at once. */
    @Override
    void awaitTls(Socket socket) {}

    @Test
    void threeNodesGoOnWithoutOne() {
        try (KafkaCluster cluster = KafkaCluster.start(3)) {
            PrivateKafka victim = cluster.nodes().get(0);

            victim.killHard();
            assertThat(cluster.nodes().get(1).accepts()).isTrue();

            victim.restart();
            assertThat(cluster.nodes()).allMatch(PrivateKafka::accepts);
        }
    }
}
