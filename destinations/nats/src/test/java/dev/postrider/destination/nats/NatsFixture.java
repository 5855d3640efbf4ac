package dev.postrider.destination.nats;

import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.BrokerFixture;
import dev.postrider.testservers.PrivateBroker;
import java.util.List;

/** A NATS server as the contract needs it. */
final class NatsFixture implements BrokerFixture {

    /** The server's own limit. */
    private static final int MAX_PAYLOAD_BYTES = 1 << 20;

    private final PrivateBroker server = Server.server();
    private final TcpFaultProxy proxy = TcpFaultProxy.to(server.host(), server.port());

    @Override
    public Destination open(Access access) {
        NatsDestinationBuilder builder = Server.destination().deliveryTimeout(access.deliveryTimeout());
        NatsDestinationBuilder reached = switch (access) {
            case PLAIN -> builder;
            case PROXY -> builder.servers("nats://127.0.0.1:" + proxy.port());
            case TLS -> builder.tls(server.certificate().trusting());
            case TLS_NOT_TRUSTED -> builder.tls();
            case WRONG_PASSWORD -> builder.credentials(server.user(), WRONG_PASSWORD);
        };
        return reached.build();
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
        return List.of(Server.newSubject());
    }

    @Override
    public void repair(String topic) {
        Server.addStream(Server.stream(topic).build());
    }

    @Override
    public String newTopic() {
        return Server.newSubjectWithStream();
    }

    @Override
    public List<OutboxMessage> arrived(String topic, int count) {
        return Server.messagesIn(topic, count);
    }

    @Override
    public void stopBroker() {
        server.stop();
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
