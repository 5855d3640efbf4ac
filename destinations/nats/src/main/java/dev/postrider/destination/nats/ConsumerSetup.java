package dev.postrider.destination.nats;

import dev.postrider.spi.ReceiverException;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that stream, durable consumer and parking stream are there and fit, before a receiver starts. */
final class ConsumerSetup {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerSetup.class);
    private static final int NO_STREAM = 10059;
    private static final int NO_CONSUMER = 10014;

    private final NatsReceiverOptions options;
    private final JetStreamManagement management;

    ConsumerSetup(NatsReceiverOptions options, JetStreamManagement management) {
        this.options = options;
        this.management = management;
    }

    /**
     * Creates what is missing, if that is allowed.
     *
     * @return how long the server waits for an answer before it delivers a message again
     * @throws ReceiverException if something is missing or does not fit, with what to do
     */
    Duration prepare() throws IOException, JetStreamApiException {
        StreamInfo stream = findStream()
                .orElseGet(() -> failed(
                        "stream %s does not exist; create it, or give" + " createStream its configuration",
                        options.stream()));
        ConsumerConfiguration consumer =
                findConsumer().orElseGet(() -> createConsumer()).getConsumerConfiguration();
        check(consumer);
        prepareParking(stream);
        return consumer.getAckWait();
    }

    private Optional<StreamInfo> findStream() throws IOException, JetStreamApiException {
        try {
            return Optional.of(management.getStreamInfo(options.stream()));
        } catch (JetStreamApiException refused) {
            if (refused.getApiErrorCode() != NO_STREAM) {
                throw refused;
            }
            return options.streamToCreate().isPresent()
                    ? Optional.of(addStream(options.streamToCreate().get()))
                    : Optional.empty();
        }
    }

    private StreamInfo addStream(StreamConfiguration stream) throws IOException, JetStreamApiException {
        StreamInfo made = management.addStream(stream);
        LOG.info("Created stream {} for {}", stream.getName(), stream.getSubjects());
        return made;
    }

    /** Whether stream and consumer are still there. */
    boolean isThere() throws IOException, JetStreamApiException {
        return findConsumer().isPresent();
    }

    private Optional<ConsumerInfo> findConsumer() throws IOException, JetStreamApiException {
        try {
            return Optional.of(management.getConsumerInfo(options.stream(), options.consumer()));
        } catch (JetStreamApiException refused) {
            if (refused.getApiErrorCode() == NO_CONSUMER || refused.getApiErrorCode() == NO_STREAM) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private ConsumerInfo createConsumer() {
        if (!options.mayCreateConsumer()) {
            return failed(
                    "stream %s has no consumer %s; create it, or allow createConsumer",
                    options.stream(), options.consumer());
        }
        ConsumerConfiguration.Builder wanted = ConsumerConfiguration.builder()
                .durable(options.consumer())
                .ackPolicy(AckPolicy.Explicit)
                .ackWait(options.ackWait())
                // The receiver parks a message whose attempts are used up; the server would just keep quiet about it.
                .maxDeliver(-1);
        if (!options.subjects().isEmpty()) {
            wanted.filterSubjects(options.subjects());
        }
        try {
            return management.addOrUpdateConsumer(options.stream(), wanted.build());
        } catch (IOException | JetStreamApiException refused) {
            throw new ReceiverException(
                    "Receiver " + options.name() + " cannot create its consumer: " + refused.getMessage(), refused);
        }
    }

    private void check(ConsumerConfiguration found) {
        require(found.getDeliverSubject() == null, "it pushes messages; a pull consumer is needed");
        require(found.getAckPolicy() == AckPolicy.Explicit, "its ack policy is not explicit");
        require(
                found.getMaxDeliver() <= 0,
                "its max_deliver would make the server keep back messages in silence; set it to -1");
        require(
                filtersOf(found).equals(Set.copyOf(options.subjects())),
                "it filters subjects " + filtersOf(found) + " and not " + options.subjects());
    }

    private static Set<String> filtersOf(ConsumerConfiguration found) {
        Set<String> filters =
                new HashSet<>(Optional.ofNullable(found.getFilterSubjects()).orElse(List.of()));
        filters.remove("");
        return filters;
    }

    private void require(boolean fits, String problem) {
        if (!fits) {
            failed("consumer %s of stream %s does not fit: %s", options.consumer(), options.stream(), problem);
        }
    }

    private void prepareParking(StreamInfo source) throws IOException, JetStreamApiException {
        List<String> takers = management.getStreamNames(options.parkingSubject());
        if (takers.contains(options.stream())) {
            failed(
                    "stream %s takes the parking subject %s itself, so that parked messages would arrive again; use"
                            + " another parkingSubject",
                    options.stream(), options.parkingSubject());
        }
        if (takers.isEmpty()) {
            if (!options.mayCreateParkingStream()) {
                failed(
                        "no stream takes the parking subject %s; create one, or allow createParkingStream",
                        options.parkingSubject());
            }
            addStream(StreamConfiguration.builder()
                    .name(options.consumer() + "-parked")
                    .subjects(options.parkingSubject())
                    .replicas(source.getConfiguration().getReplicas())
                    .build());
        }
    }

    private <T> T failed(String text, Object... values) {
        throw new ReceiverException("Receiver " + options.name() + " cannot start: " + text.formatted(values));
    }
}
