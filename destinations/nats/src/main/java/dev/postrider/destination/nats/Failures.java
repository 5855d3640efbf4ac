package dev.postrider.destination.nats;

import dev.postrider.spi.DeliveryResult;
import io.nats.client.AuthenticationException;
import io.nats.client.JetStreamApiException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says what an error of the client or of JetStream means, by its type or code. */
final class Failures {

    private static final int MESSAGE_TOO_LARGE = 10054;
    private static final int HEADERS_TOO_LARGE = 10097;
    private static final int OTHER_STREAM = 10060;
    private static final int STORE_FAILED = 10077;

    /**
     * JetStream as a whole cannot take messages: resources of account, server or storage used up (10002, 10023, 10028, 10047),
     * cluster without a leader or not available (10008, 10009, 10010), not enabled for the account or at all (10039, 10076).
     */
    private static final Set<Integer> OUTAGES = Set.of(10002, 10008, 10009, 10010, 10023, 10028, 10039, 10047, 10076);

    private static final int SERVICE_UNAVAILABLE = 503;

    private final NatsOptions options;

    Failures(NatsOptions options) {
        this.options = options;
    }

    /** Why there is no connection, and what to do about it. */
    String ofConnecting(Throwable failure) {
        String at = " at " + options.serversForPeople();
        if (find(failure, AuthenticationException.class).isPresent()) {
            return "NATS%s refused the credentials of user '%s': check user name and password"
                    .formatted(at, options.user());
        }
        if (find(failure, SSLException.class).isPresent()) {
            return "The TLS handshake with NATS%s failed (%s): give tls(...) a context that trusts its certificate, and use the name in it"
                    .formatted(at, rootOf(failure));
        }
        return options.forPeople("NATS%s cannot be reached: %s".formatted(at, rootOf(failure)));
    }

    /** The failure as a cause, which is logged too; nothing if its text has a password in it. */
    @Nullable
    Exception causeForPeople(Exception failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String text = String.valueOf(each.getMessage());
            if (!options.forPeople(text).equals(text)) {
                return null;
            }
        }
        return failure;
    }

    DeliveryResult ofLostConnection() {
        return DeliveryResult.outage("The connection to NATS was lost");
    }

    DeliveryResult ofLostConnection(Throwable cause) {
        return DeliveryResult.outage("The connection to NATS was lost: " + rootOf(cause), cause);
    }

    static DeliveryResult ofNoStream(String subject) {
        return DeliveryResult.unavailable(
                place(subject),
                "No stream takes subject '%s': create one, or let createStream(...) do so, or correct the topic"
                        .formatted(subject));
    }

    static String place(String subject) {
        return "subject '" + subject + "'";
    }

    DeliveryResult ofForbidden(String subject) {
        return DeliveryResult.unavailable(
                place(subject),
                "User '%s' may not publish to subject '%s': grant the permission".formatted(options.user(), subject));
    }

    static DeliveryResult ofSilentStream(String subject, Object streams) {
        return DeliveryResult.outage(
                "Subject '%s' belongs to %s, but nobody answers for it: the stream has no leader at present"
                        .formatted(subject, streams));
    }

    static DeliveryResult ofSilentJetStream(Throwable cause) {
        return DeliveryResult.outage(
                "JetStream does not answer: check that it is enabled for this server and account: " + rootOf(cause),
                cause);
    }

    /** Whoever answered was no stream: some service listens on the subject. */
    static DeliveryResult ofStrangeAnswer(String subject, Exception cause) {
        return DeliveryResult.retry(
                "The answer on subject '%s' is no acknowledgement of JetStream: something else listens there"
                        .formatted(subject),
                cause);
    }

    DeliveryResult ofApi(JetStreamApiException error, String subject) {
        int code = error.getApiErrorCode();
        String text = "JetStream refused subject '%s' with error %d".formatted(subject, code);
        if (OUTAGES.contains(code)) {
            return DeliveryResult.outage(text + ": it is out of resources or not available", error);
        }
        return switch (code) {
            case MESSAGE_TOO_LARGE, HEADERS_TOO_LARGE ->
                DeliveryResult.reject(text + ": the message is too large for the stream, see its max_msg_size", error);
            case OTHER_STREAM ->
                DeliveryResult.unavailable(
                        place(subject),
                        text
                                + ": the subject belongs to another stream than expected; correct expectedStream or the subject",
                        error);
            case STORE_FAILED ->
                DeliveryResult.unavailable(
                        place(subject), text + ": the stream is full and discards new messages", error);
            default ->
                error.getErrorCode() == SERVICE_UNAVAILABLE
                        ? DeliveryResult.outage(text + ": JetStream is not available", error)
                        : DeliveryResult.retry(text + ": " + error.getErrorDescription(), error);
        };
    }

    private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return Optional.of(type.cast(each));
            }
        }
        return Optional.empty();
    }

    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof UnknownHostException) {
            return "no address is known for host " + root.getMessage();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
