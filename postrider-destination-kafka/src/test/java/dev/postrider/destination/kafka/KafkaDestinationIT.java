package dev.postrider.destination.kafka;

import dev.postrider.testkit.BrokerContract;
import dev.postrider.testkit.BrokerFixture;
import dev.postrider.testkit.TcpFaultProxy;
import dev.postrider.testservers.KafkaServer;
import dev.postrider.testservers.PrivateKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaDestinationIT extends BrokerContract {

    private static PrivateKafka kafka;
    private static TcpFaultProxy proxy;

    @BeforeAll
    static void startBroker() {
        kafka = KafkaServer.startPrivate();
        proxy = KafkaFixture.proxy(kafka);
    }

    @AfterAll
    static void endBroker() {
        proxy.close();
        kafka.close();
    }

    @Override
    protected BrokerFixture newFixture(BrokerFixture.Setup setup) {
        return new KafkaFixture(kafka, proxy);
    }
}
