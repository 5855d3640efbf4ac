package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection with one consumer on it, from its opening to its end, which is reported exactly once; a new one takes its place.
 *
 * <p>Delivery tags have a meaning in their session only, so messages are settled on the session that took them; when it is over, settling
 * does nothing, and the broker delivers them again. Thread-safe.
 */
final class ConsumerSession {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerSession.class);
    private static final int CLOSE_MILLIS = 3_000;

    private final Connection connection;
    private final Optional<Socket> socket;
    private final Channel channel;
    private final BiConsumer<ConsumerSession, String> onEnd;
    private final AtomicBoolean hasEnded = new AtomicBoolean();
    private volatile boolean isForgotten;
    private volatile String consumerTag = "";

    private ConsumerSession(BrokerAccess.Opened opened, Channel channel, BiConsumer<ConsumerSession, String> onEnd) {
        this.connection = opened.connection();
        this.socket = opened.socket();
        this.channel = channel;
        this.onEnd = onEnd;
    }

    /**
     * Opens a channel for consuming on this connection, which the session closes with itself.
     *
     * @param onEnd gets this session and what happened, in words, when it is over and nobody closed it
     */
    static ConsumerSession open(BrokerAccess.Opened opened, BiConsumer<ConsumerSession, String> onEnd)
            throws IOException {
        Channel channel = opened.connection().createChannel();
        if (channel == null) {
            throw new IOException("the connection has no channel left");
        }
        ConsumerSession session = new ConsumerSession(opened, channel, onEnd);
        channel.addShutdownListener(
                cause -> session.ended("the channel or connection was closed: " + ConnectFailure.rootOf(cause)));
        return session;
    }

    /** Begins to consume; messages come on a thread of the connection, one after the other. */
    void consume(String queue, String tag, int prefetch, Consumer<TakenMessage> messages) throws IOException {
        channel.basicQos(prefetch);
        consumerTag = tag;
        channel.basicConsume(queue, false, tag, new QueueConsumer(messages));
    }

    private void ended(String reason) {
        if (hasEnded.compareAndSet(false, true)) {
            onEnd.accept(this, reason);
        }
    }

    boolean isOpen() {
        return !hasEnded.get() && channel.isOpen();
    }

    boolean isForgotten() {
        return isForgotten;
    }

    void markForgotten() {
        isForgotten = true;
    }

    Connection connection() {
        return connection;
    }

    void acknowledge(long tag) {
        settle(() -> channel.basicAck(tag, false));
    }

    void reject(long tag, boolean isRequeued) {
        settle(() -> channel.basicReject(tag, isRequeued));
    }

    private static void settle(Settlement settlement) {
        try {
            settlement.send();
        } catch (IOException | ShutdownSignalException lost) {
            LOG.debug("A message could not be settled and arrives again", lost);
        }
    }

    /** Ends the consumer; what was taken can still be settled. */
    void cancelConsumer() {
        try {
            channel.basicCancel(consumerTag);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("The consumer has ended before it was cancelled", gone);
        }
    }

    /** Ends the connection, so that the broker requeues what is not settled; nobody is told. */
    void close() {
        hasEnded.set(true);
        closeChannel();
        connection.abort(CLOSE_MILLIS);
        socket.ifPresent(RabbitmqLink::reset);
    }

    /** Waits for the broker to have read all settlements. */
    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException | TimeoutException | ShutdownSignalException gone) {
            LOG.debug("The channel was closed already", gone);
        }
    }

    private interface Settlement {
        void send() throws IOException;
    }

    private final class QueueConsumer extends DefaultConsumer {

        private final Consumer<TakenMessage> messages;

        QueueConsumer(Consumer<TakenMessage> messages) {
            super(channel);
            this.messages = messages;
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
            messages.accept(new TakenMessage(ConsumerSession.this, envelope, properties, body));
        }

        /** The broker ended the consumer and keeps the channel: nothing would ever arrive again on it. */
        @Override
        public void handleCancel(String tag) {
            ended("the broker ended the consumer, as it does when the queue is deleted or its node stops");
        }
    }
}
