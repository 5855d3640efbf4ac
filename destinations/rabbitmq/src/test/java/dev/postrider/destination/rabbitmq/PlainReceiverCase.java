package dev.postrider.destination.rabbitmq;

import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.testservers.PrivateRabbitmq;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** A queue of its own for each test of the plain receiver, and a way to it that can be cut. */
abstract class PlainReceiverCase {

    static final Duration QUIET = Duration.ofMillis(300);

    private static final Duration PAUSE = Duration.ofMillis(50);

    final PrivateRabbitmq server = Node.server();
    final String queue = Node.newName();
    final TcpFaultProxy proxy = TcpFaultProxy.to(server.host(), server.port());

    @AfterEach
    void restore() {
        proxy.close();
        if (!server.isRunning()) {
            server.restart();
        }
        Node.deleteQueues(queue, queue + ".dlx");
    }

    final PlainReceiverBuilder plain() {
        return Node.access(RabbitmqReceiver.plain(queue)).retryPause(PAUSE, PAUSE);
    }

    final PlainReceiverBuilder behindProxy() {
        return Node.access(RabbitmqReceiver.plain(queue), proxy.port())
                .retryPause(PAUSE, PAUSE)
                .connectTimeout(Duration.ofSeconds(1))
                .declareTopology();
    }

    final void send(String id) {
        Subscribed.publish(queue, Subscribed.event(id).build());
    }
}
