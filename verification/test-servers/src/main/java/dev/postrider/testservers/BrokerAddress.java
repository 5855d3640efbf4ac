package dev.postrider.testservers;

import java.net.URI;
import java.util.Optional;

/**
 * Where a broker takes clients and as whom.
 *
 * @param path what follows the port in its URI, for RabbitMQ the virtual host; may be empty
 */
record BrokerAddress(BrokerKind kind, String host, int port, String path, String user, String password) {

    /** The account that servers of these tests know. */
    private static final String USER = "postrider";

    private static final String PASSWORD = "secret";

    /** The address of a server that these tests started on this machine. */
    static BrokerAddress local(BrokerKind kind, int port) {
        return new BrokerAddress(kind, "127.0.0.1", port, "", USER, PASSWORD);
    }

    static Optional<BrokerAddress> fromEnvironment(BrokerKind kind) {
        return Optional.ofNullable(System.getenv(kind.variable()))
                .filter(value -> !value.isBlank())
                .map(value -> parse(kind, value));
    }

    /** Reads {@code scheme://user:password@host:port/path}; only the host is needed, for Kafka without the scheme. */
    static BrokerAddress parse(BrokerKind kind, String text) {
        // Kafka clients write hosts and ports alone; any one of them knows the others.
        URI uri = URI.create(kind == BrokerKind.KAFKA ? "kafka://" + text.split(",", 2)[0] : text);
        if (uri.getHost() == null || !kind.scheme().equals(uri.getScheme())) {
            throw new IllegalArgumentException("%s is '%s', expected %s://[user:password@]host[:port]"
                    .formatted(kind.variable(), text, kind.scheme()));
        }
        String[] account = Optional.ofNullable(uri.getUserInfo()).orElse(":").split(":", 2);
        int port = uri.getPort() < 0 ? kind.usualPort() : uri.getPort();
        String password = account.length < 2 ? "" : account[1];
        return new BrokerAddress(kind, uri.getHost(), port, uri.getPath(), account[0], password);
    }

    String uri() {
        String account = user.isEmpty() ? "" : user + ":" + password + "@";
        return kind.scheme() + "://" + account + host + ":" + port + path;
    }
}
