package dev.postrider.testservers;

/**
 * Starts NATS servers with JetStream for tests that crash them.
 *
 * <pre>{@code
 * try (PrivateBroker server = NatsServer.startPrivate()) {
 *     server.killHard();
 *     server.restart();
 * }
 * }</pre>
 */
public final class NatsServer {
    private NatsServer() {}

    /** Starts a server that takes plain and TLS clients on one port, and returns when it takes clients. */
    public static PrivateBroker startPrivate() {
        return BrokerLauncher.startPrivate(new NatsEngine());
    }

    /**
     * Starts a server with more users.
     *
     * @param users as they stand in a list of the server's configuration
     * @param certificate with what it proves its identity
     */
    public static PrivateBroker startPrivate(String users, TestCertificate certificate) {
        return BrokerLauncher.startPrivate(new NatsEngine(users, certificate));
    }
}
