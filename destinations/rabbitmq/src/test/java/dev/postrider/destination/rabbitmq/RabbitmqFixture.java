package dev.postrider.destination.rabbitmq;

import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.BrokerFixture;
import dev.postrider.testservers.PrivateRabbitmq;
import java.util.List;

/** A RabbitMQ node as the contract needs it. */
final class RabbitmqFixture implements BrokerFixture {

    private static final int MAX_PAYLOAD_BYTES = 2 << 20;

    private final PrivateRabbitmq server = Node.server();
    private final TcpFaultProxy proxy = TcpFaultProxy.to(server.host(), server.port());

    @Override
    public Destination open(Access access) {
        RabbitmqDestinationBuilder builder =
                Node.destination().maxPayloadBytes(MAX_PAYLOAD_BYTES).deliveryTimeout(access.deliveryTimeout());
        RabbitmqDestinationBuilder reached = switch (access) {
            case PLAIN -> builder;
            case PROXY -> builder.addresses("127.0.0.1:" + proxy.port());
            case TLS -> overTls(builder).tls(server.certificate().trusting());
            case TLS_NOT_TRUSTED -> overTls(builder).tls();
            case WRONG_PASSWORD -> builder.credentials(server.user(), WRONG_PASSWORD);
        };
        return reached.build();
    }

    private RabbitmqDestinationBuilder overTls(RabbitmqDestinationBuilder builder) {
        return builder.addresses(server.host() + ":" + server.tlsPort());
    }

    @Override
    public TcpFaultProxy proxy() {
        return proxy;
    }

    @Override
    public int tooManyBytes() {
        return MAX_PAYLOAD_BYTES + 1;
    }

    @Override
    public List<String> topicsThatLeadNowhere() {
        return List.of(Node.newName(), Node.newExchange());
    }

    @Override
    public void repair(String topic) {
        Node.declareExchangeWithQueue(topic);
    }

    @Override
    public String newTopic() {
        return Node.newExchangeWithQueue();
    }

    @Override
    public List<OutboxMessage> arrived(String topic, int count) {
        return Node.messagesIn(topic, count);
    }

    @Override
    public void stopBroker() {
        server.stop();
    }

    @Override
    public void keepTopics() {
        server.control("eval", "mnesia:sync_log().");
    }

    @Override
    public void killBroker() {
        server.killHard();
    }

    @Override
    public void startBroker() {
        server.restart();
    }

    @Override
    public void close() {
        proxy.close();
        if (!server.isRunning()) {
            server.restart();
        }
    }
}
