package dev.postrider.testservers;

/**
 * Starts RabbitMQ nodes for tests that crash them or change their settings.
 *
 * <pre>{@code
 * try (PrivateRabbitmq node = RabbitmqServer.startPrivate()) {
 *     node.raiseMemoryAlarm();
 *     node.killHard();
 *     node.restart();
 * }
 * }</pre>
 */
public final class RabbitmqServer {
    private RabbitmqServer() {}

    /** Starts a node with a plain and a TLS listener and returns when it takes clients. */
    public static PrivateRabbitmq startPrivate() {
        return new PrivateRabbitmq(BrokerLauncher.startPrivate(new RabbitmqEngine()));
    }
}
