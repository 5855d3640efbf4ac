package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.Optional;

/** Asks the broker something to which its "no" is the end of a channel. */
@FunctionalInterface
interface BrokerQuery {

    void ask(Channel channel) throws IOException;

    /**
     * Asks on a channel that is used for nothing else.
     *
     * @return the refusal; empty if there was none
     * @throws IOException if the connection is of no use any more
     */
    static Optional<ShutdownSignalException> ask(Connection connection, BrokerQuery query) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the connection has no channel left");
        }
        try {
            query.ask(channel);
            return Optional.empty();
        } catch (IOException failed) {
            Optional<ShutdownSignalException> refused = Failures.channelError(failed);
            if (refused.isEmpty()) {
                throw failed;
            }
            return refused;
        } finally {
            RabbitmqLink.closeQuietly(channel);
        }
    }
}
