package dev.postrider.destination.kafka;

import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.BrokerFixture;
import dev.postrider.testservers.PrivateKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/** A Kafka broker as the contract needs it: it is started again after a test that stopped it. */
final class KafkaFixture implements BrokerFixture {

    private final Setup setup;
    private final PrivateKafka kafka = StoppableKafka.broker();
    private final TcpFaultProxy proxy = StoppableKafka.proxy();
    private final TestTopics topics = new TestTopics(kafka.bootstrapServers());

    KafkaFixture(Setup setup) {
        this.setup = setup;
    }

    /** A proxy before a broker, at the port that it tells its clients. */
    static TcpFaultProxy proxy(PrivateKafka kafka) {
        return TcpFaultProxy.to(kafka.host(), kafka.proxiedPort(), kafka.advertisedPort());
    }

    @Override
    public Destination open(Access access) {
        int port = switch (access) {
            case PLAIN -> kafka.port();
            case PROXY -> proxy.port();
            case TLS, TLS_NOT_TRUSTED -> kafka.tlsPort();
            case WRONG_PASSWORD -> kafka.saslPort();
        };
        return KafkaDestination.builder("kafka", kafka.host() + ":" + port)
                .deliveryTimeout(deliveryTimeout(access))
                .closeTimeout(Duration.ofSeconds(4))
                .maxInFlight(200)
                .properties(security(access))
                .build();
    }

    /** Records for a broker that is stopped wait for its end; and a quarter of it must do to find a topic. */
    private Duration deliveryTimeout(Access access) {
        return setup == Setup.OWN
                ? Duration.ofSeconds(8)
                : access.deliveryTimeout().multipliedBy(2);
    }

    private Map<String, String> security(Access access) {
        return switch (access) {
            case PLAIN, PROXY -> Map.of();
            case TLS_NOT_TRUSTED -> Map.of("security.protocol", "SSL");
            case TLS ->
                Map.of(
                        "security.protocol",
                        "SSL",
                        "ssl.truststore.type",
                        "PEM",
                        "ssl.truststore.location",
                        kafka.certificate().certificatePem().toString());
            case WRONG_PASSWORD -> sasl(kafka.user(), WRONG_PASSWORD);
        };
    }

    static Map<String, String> sasl(String user, String password) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
                        .formatted(user, password));
    }

    @Override
    public String newTopic() {
        return topics.create(3);
    }

    @Override
    public List<OutboxMessage> arrived(String topic, int count) {
        return topics.messages(topic, count);
    }

    @Override
    public TcpFaultProxy proxy() {
        return proxy;
    }

    @Override
    public int tooManyBytes() {
        return 2_000_000;
    }

    @Override
    public List<String> topicsThatLeadNowhere() {
        return List.of(TestTopics.unusedName());
    }

    @Override
    public void repair(String topic) {
        topics.create(new NewTopic(topic, 3, (short) -1));
    }

    @Override
    public void stopBroker() {
        kafka.stop();
    }

    @Override
    public void killBroker() {
        kafka.killHard();
    }

    @Override
    public void startBroker() {
        kafka.restart();
    }

    @Override
    public void close() {
        proxy.heal();
        proxy.resetAll();
        if (!kafka.isRunning()) {
            kafka.restart();
        }
    }
}
