package dev.postrider.destination.nats;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.internal.Link;
import dev.postrider.spi.internal.PendingSend;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamStatusException;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to NATS and the messages that are not acknowledged on it, from its opening to its end; there is no
 * reconnect, a new link takes its place.
 *
 * <p>The client would keep messages over a reconnect and send them later, when their end has long been reported. So when the
 * connection ends, everything on it ends as an outage. Thread-safe.
 */
final class NatsLink implements Link<Message> {

    private static final Logger LOG = LoggerFactory.getLogger(NatsLink.class);
    private static final int NO_RESPONDERS = 503;
    private static final String PUBLISH_FORBIDDEN = "Permissions Violation for Publish";

    private final Connection connection;
    private final Failures failures;
    private final NatsOptions options;
    private final Executor closer;
    private final BiConsumer<NatsLink, PendingSend<Message>> onNobody;
    private final Set<PendingSend<Message>> outstanding = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isCut = new AtomicBoolean();

    NatsLink(
            Connection connection,
            Failures failures,
            NatsOptions options,
            Executor closer,
            BiConsumer<NatsLink, PendingSend<Message>> onNobody) {
        this.connection = connection;
        this.failures = failures;
        this.options = options;
        this.closer = closer;
        this.onNobody = onNobody;
    }

    Connection connection() {
        return connection;
    }

    @Override
    public boolean isUsable() {
        return !isCut.get() && connection.getStatus() == Connection.Status.CONNECTED;
    }

    @Override
    public Optional<DeliveryResult> refusal(Message wire) {
        long headers = wire.hasHeaders() ? wire.getHeaders().serializedLength() : 0;
        long bytes = headers + wire.getData().length;
        long max = connection.getMaxPayload();
        return max < 0 || bytes <= max
                ? Optional.empty()
                : Optional.of(DeliveryResult.reject(
                        "The message is too large: %d bytes with its headers, the server's max_payload is %d"
                                .formatted(bytes, max)));
    }

    @Override
    public void publish(PendingSend<Message> sending) {
        outstanding.add(sending);
        try {
            // A request of its own and not the client's publishAsync, which tells errors apart by text only.
            var unused = connection
                    .requestWithTimeout(
                            sending.wire(), options.deliveryTimeout().multipliedBy(2))
                    .whenComplete((reply, failure) -> answered(sending, reply, failure));
        } catch (RuntimeException refused) {
            answered(sending, null, refused);
        } catch (Error broken) {
            // It may be on its way: only the end of the connection is the end of it.
            cut(failures.ofLostConnection(broken));
            throw broken;
        }
    }

    @Override
    public DeliveryResult failed(Throwable failure) {
        return DeliveryResult.retry("Publishing failed: " + failure, failure);
    }

    private void answered(PendingSend<Message> sending, @Nullable Message reply, @Nullable Throwable failure) {
        if (reply != null) {
            end(sending, outcome(sending, reply));
        } else if (!isForNobody(failure)) {
            end(sending, failure == null ? failures.ofLostConnection() : failures.ofLostConnection(failure));
        } else if (outstanding.remove(sending)) {
            onNobody.accept(this, sending);
        }
    }

    private static boolean isForNobody(@Nullable Throwable failure) {
        return failure instanceof JetStreamStatusException status
                && status.getStatus().getCode() == NO_RESPONDERS;
    }

    /** Ends it unless the end of the connection did; until then it is overdue some day. */
    private void end(PendingSend<Message> sending, DeliveryResult outcome) {
        if (outstanding.remove(sending)) {
            sending.end(outcome);
        }
    }

    private DeliveryResult outcome(PendingSend<Message> sending, Message reply) {
        try {
            PublishAck ack = new PublishAck(reply);
            if (ack.isDuplicate()) {
                LOG.debug("Stream {} had message {} already", ack.getStream(), ack.getSeqno());
            }
            return DeliveryResult.DELIVERED;
        } catch (JetStreamApiException refused) {
            // Without a code it is the client that could not read the answer.
            boolean hasCode = refused.getApiErrorCode() > 0;
            return hasCode
                    ? failures.ofApi(refused, sending.wire().getSubject())
                    : Failures.ofStrangeAnswer(sending.wire().getSubject(), refused);
        } catch (IOException | RuntimeException strange) {
            return Failures.ofStrangeAnswer(sending.wire().getSubject(), strange);
        }
    }

    /**
     * The server told an error that belongs to no request. A publish that is not allowed is answered in this way only, and by text only;
     * the server has not taken it, and says nothing else of it.
     */
    void errorOccurred(String error) {
        if (error.startsWith(PUBLISH_FORBIDDEN)) {
            for (PendingSend<Message> sending : List.copyOf(outstanding)) {
                if (error.contains('"' + sending.wire().getSubject() + '"')) {
                    end(sending, failures.ofForbidden(sending.wire().getSubject()));
                }
            }
        }
    }

    @Override
    public void cut(DeliveryResult outcome) {
        boolean isFirst = isCut.compareAndSet(false, true);
        List.copyOf(outstanding).forEach(sending -> end(sending, outcome));
        if (isFirst) {
            // It may wait for a thread that writes to a full socket.
            closer.execute(this::closeConnection);
        }
    }

    @Override
    public void cutAsLost() {
        cut(failures.ofLostConnection());
    }

    @Override
    public void close() {
        cut(DeliveryResult.outage(options.name() + " was closed"));
    }

    private void closeConnection() {
        try {
            connection.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
