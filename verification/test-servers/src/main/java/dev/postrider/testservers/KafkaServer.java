package dev.postrider.testservers;

import java.util.Map;

/**
 * Starts Kafka nodes for tests that crash them, cut their connections or need other settings.
 *
 * <pre>{@code
 * try (PrivateKafka kafka = KafkaServer.startPrivate()) {
 *     kafka.killHard();
 *     kafka.restart();
 * }
 * }</pre>
 */
public final class KafkaServer {
    private KafkaServer() {}

    /** Starts a node with the usual settings and returns when it takes clients. */
    public static PrivateKafka startPrivate() {
        return startPrivate(Map.of());
    }

    /**
     * Starts a node and returns when it takes clients.
     *
     * @param settings properties of the broker that replace or add to the usual ones
     */
    public static PrivateKafka startPrivate(Map<String, String> settings) {
        var engine = new KafkaEngine(settings);
        return new PrivateKafka(BrokerLauncher.startPrivate(engine), engine.ports());
    }
}
