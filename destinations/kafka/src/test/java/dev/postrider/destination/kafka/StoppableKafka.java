package dev.postrider.destination.kafka;

import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.testservers.KafkaServer;
import dev.postrider.testservers.PrivateKafka;
import org.jspecify.annotations.Nullable;

/** A broker for tests that stop it, reach it through a proxy, or by TLS: one for all tests of this JVM; it ends with the build. */
final class StoppableKafka {

    private static @Nullable PrivateKafka started;
    private static @Nullable TcpFaultProxy proxy;

    private StoppableKafka() {}

    /** Runs, also if the test before left it stopped. */
    static synchronized PrivateKafka broker() {
        if (started == null) {
            started = KafkaServer.startPrivate();
        } else if (!started.isRunning()) {
            started.restart();
        }
        return started;
    }

    /** Before the broker; one for all tests, since its port is one. */
    static synchronized TcpFaultProxy proxy() {
        if (proxy == null) {
            proxy = KafkaFixture.proxy(broker());
        }
        return proxy;
    }
}
