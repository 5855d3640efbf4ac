package dev.postrider.prove.broker;

import dev.postrider.internal.SafeText;
import dev.postrider.prove.ProofException;
import dev.postrider.prove.check.Arrival;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A stream of NATS, which keeps the order of all. */
final class NatsProofBroker implements ProofBroker {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String uri;
    private final String name;

    NatsProofBroker(String uri, String name) {
        this.uri = uri;
        this.name = name;
    }

    @Override
    public void prepare() {
        StreamConfiguration stream = StreamConfiguration.builder()
                .name(name)
                .subjects(name)
                .storageType(StorageType.File)
                .build();
        run(
                "create stream " + name,
                connection -> connection.jetStreamManagement().addStream(stream));
    }

    @Override
    public List<Arrival> readAll() {
        return run("read stream " + name, connection -> {
            JetStreamManagement management = connection.jetStreamManagement();
            long last = management.getStreamInfo(name).getStreamState().getLastSequence();
            PushSubscribeOptions inOrder =
                    PushSubscribeOptions.builder().stream(name).ordered(true).build();
            JetStreamSubscription subscription = connection.jetStream().subscribe(name, inOrder);
            List<Arrival> arrivals = new ArrayList<>();
            for (long seen = 0; seen < last; ) {
                Message message = subscription.nextMessage(PATIENCE);
                if (message == null) {
                    throw new ProofException("the stream ends at %d, but says it has %d".formatted(seen, last));
                }
                seen = message.metaData().streamSequence();
                arrivals.add(arrival(message));
            }
            return arrivals;
        });
    }

    private static Arrival arrival(Message message) {
        String id = message.getHeaders() == null ? null : message.getHeaders().getFirst("Nats-Msg-Id");
        return Content.arrival(Optional.ofNullable(id).orElse("none"), message.getData());
    }

    @Override
    public void remove() {
        run(
                "delete stream " + name,
                connection -> connection.jetStreamManagement().deleteStream(name));
    }

    @Override
    public Map<String, String> configuration(String address) {
        URI parsed = URI.create(address);
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("type", "nats");
        settings.put("servers", "%s://%s:%d".formatted(parsed.getScheme(), parsed.getHost(), parsed.getPort()));
        settings.put("expected-stream", name);
        settings.put("delivery-timeout", "2s");
        settings.put("connect-timeout", "1s");
        Optional.ofNullable(parsed.getUserInfo()).ifPresent(account -> {
            String[] parts = account.split(":", 2);
            settings.put("user", parts[0]);
            settings.put("password", parts.length < 2 ? "" : parts[1]);
        });
        return settings;
    }

    private interface Work<T> {
        T on(Connection connection) throws Exception;
    }

    @SuppressWarnings("try") // Closing may be interrupted, which fails the proof as anything else does.
    private <T> T run(String purpose, Work<T> work) {
        try (Connection connection = Nats.connect(uri)) {
            return work.on(connection);
        } catch (Exception failed) {
            throw new ProofException(
                    "Cannot %s at %s: %s"
                            .formatted(
                                    purpose,
                                    URI.create(uri).getHost(),
                                    SafeText.of(String.valueOf(failed.getMessage()))),
                    failed);
        }
    }
}
