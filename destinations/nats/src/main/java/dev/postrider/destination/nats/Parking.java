package dev.postrider.destination.nats;

import dev.postrider.internal.LogThrottle;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Publishes messages that cannot be handled to the parking subject, and waits until a stream has them. Thread-safe. */
final class Parking {

    /** How often it was delivered. */
    static final String ATTEMPTS = "postrider-attempts";
    /** Why it was parked, one sentence. */
    static final String REASON = "postrider-reason";
    /** Which consumer has parked it. */
    static final String CONSUMER = "postrider-consumer";
    /** The subject that it had. */
    static final String SUBJECT = "postrider-subject";
    /** Its stream and its place there, such as {@code ORDERS@1207}. */
    static final String POSITION = "postrider-position";

    private final LogThrottle throttle = new LogThrottle(LoggerFactory.getLogger(Parking.class));
    private static final String MESSAGE_ID = "Nats-Msg-Id";
    private static final String OF_THE_SERVER = "nats-";
    private static final int MAX_REASON = 1024;

    private final NatsReceiverOptions options;
    private volatile @Nullable String problem;

    Parking(NatsReceiverOptions options) {
        this.options = options;
    }

    /** What keeps messages from being parked now. */
    Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /** Says whether the message is safe. */
    boolean park(Optional<Connection> connection, Message wire, int attempts, String reason) {
        try {
            if (connection.isEmpty()) {
                return false;
            }
            Message parked = parked(wire, attempts, reason, connection.get().getMaxPayload());
            connection.get().jetStream().publish(parked);
            problem = null;
            return true;
        } catch (IOException | JetStreamApiException | RuntimeException refused) {
            problem = "Messages cannot be parked at " + options.parkingSubject()
                    + "; see that a stream takes the subject and has room: " + refused.getMessage();
            throttle.warn("park", "Receiver {}: {}", options.name(), problem);
            return false;
        }
    }

    private Message parked(Message wire, int attempts, String reason, long maxBytes) {
        Message whole = message(wire, withReason(wire, attempts, reason));
        long bytes = (long) whole.getHeaders().serializedLength() + dataOf(wire).length;
        // The server takes no more than it took before, and a message without a reason is better than none.
        return maxBytes < 0 || bytes <= maxBytes ? whole : message(wire, ofProducer(wire));
    }

    private Message message(Message wire, Headers headers) {
        return NatsMessage.builder()
                .subject(options.parkingSubject())
                .headers(headers)
                .data(dataOf(wire))
                .build();
    }

    private static byte[] dataOf(Message wire) {
        return wire.getData() == null ? new byte[0] : wire.getData();
    }

    private Headers withReason(Message wire, int attempts, String reason) {
        String position = options.stream() + "@" + wire.metaData().streamSequence();
        Headers headers = ofProducer(wire);
        // Parked twice, because an answer got lost, it is stored once.
        headers.put(MESSAGE_ID, options.consumer() + "/" + position);
        headers.put(ATTEMPTS, Integer.toString(attempts));
        headers.put(REASON, HeaderText.encode(reason.substring(0, Math.min(reason.length(), MAX_REASON))));
        headers.put(CONSUMER, options.consumer());
        headers.put(SUBJECT, wire.getSubject());
        headers.put(POSITION, position);
        return headers;
    }

    /** What the producer gave; other headers of the server would be orders to it. */
    private static Headers ofProducer(Message wire) {
        Headers headers = new Headers();
        if (wire.hasHeaders()) {
            wire.getHeaders().forEach((name, values) -> {
                if (!name.toLowerCase(Locale.ROOT).startsWith(OF_THE_SERVER)) {
                    headers.put(name, values);
                }
            });
        }
        return headers;
    }
}
