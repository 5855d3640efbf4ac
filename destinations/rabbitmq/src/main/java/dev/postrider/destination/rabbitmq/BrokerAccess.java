package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** How to reach the broker, and as whom; see {@link RabbitmqConnectionBuilder} for the meaning of each. */
record BrokerAccess(
        List<Address> addresses,
        String user,
        String password,
        String virtualHost,
        Optional<SSLContext> tls,
        Duration connectTimeout,
        Consumer<ConnectionFactory> customizer) {

    /** An open connection and its socket, by which it can be cut. */
    record Opened(Connection connection, Optional<Socket> socket) {}

    /**
     * A new connection to the first broker that answers.
     *
     * @param name how the broker shows the connection
     * @param further changed after the user's own settings
     */
    Opened open(String name, Consumer<ConnectionFactory> further) throws IOException, TimeoutException {
        AtomicReference<Socket> socket = new AtomicReference<>();
        ConnectionFactory factory = factory();
        further.accept(factory);
        factory.setSocketConfigurator(factory.getSocketConfigurator().andThen(socket::set));
        Connection connection = factory.newConnection(addresses, "postrider " + name);
        return new Opened(connection, Optional.ofNullable(socket.get()));
    }

    private ConnectionFactory factory() {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUsername(user);
        factory.setPassword(password);
        factory.setVirtualHost(virtualHost);
        int timeout = (int) connectTimeout.toMillis();
        factory.setConnectionTimeout(timeout);
        factory.setHandshakeTimeout(timeout);
        factory.setChannelRpcTimeout(timeout);
        tls.ifPresent(context -> {
            factory.useSslProtocol(context);
            factory.enableHostnameVerification();
        });
        factory.setExceptionHandler(new ClientFailures());
        customizer.accept(factory);
        // The client would reopen channels and forget what had not been confirmed or acknowledged on the old ones.
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        return factory;
    }

    /** No password in it. */
    @Override
    public String toString() {
        return "BrokerAccess[addresses=" + addresses + ", user=" + user + "]";
    }
}
