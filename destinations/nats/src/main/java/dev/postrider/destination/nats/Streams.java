package dev.postrider.destination.nats;

import dev.postrider.spi.DeliveryResult;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out why nobody took a message: a subject without stream is that message's failure, a stream without leader an outage.
 * Creates the stream where that is allowed. Asks the server and waits for its answer.
 */
final class Streams {

    private static final Logger LOG = LoggerFactory.getLogger(Streams.class);

    private final Optional<StreamConfiguration> toCreate;
    private final Failures failures;

    Streams(Optional<StreamConfiguration> toCreate, Failures failures) {
        this.toCreate = toCreate;
        this.failures = failures;
    }

    /** How the message ends; empty if it is worth publishing it once more. */
    Optional<DeliveryResult> verdict(NatsLink link, String subject, boolean isSecondTry) {
        try {
            JetStreamManagement management = link.connection().jetStreamManagement();
            List<String> streams = management.getStreamNames(subject);
            if (!streams.isEmpty()) {
                // It may have come into being after the message was sent.
                return isSecondTry ? Optional.of(Failures.ofSilentStream(subject, streams)) : Optional.empty();
            }
            return toCreate.isPresent() && !isSecondTry
                    ? create(management, toCreate.get())
                    : Optional.of(Failures.ofNoStream(subject));
        } catch (JetStreamApiException refused) {
            return Optional.of(failures.ofApi(refused, subject));
        } catch (IOException | RuntimeException silent) {
            return Optional.of(Failures.ofSilentJetStream(silent));
        }
    }

    private static Optional<DeliveryResult> create(JetStreamManagement management, StreamConfiguration stream)
            throws IOException, JetStreamApiException {
        management.addStream(stream);
        LOG.info("Created stream {} for {}", stream.getName(), stream.getSubjects());
        return Optional.empty();
    }
}
