package dev.postrider.bench.broker;

import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.destination.nats.NatsDestination;
import dev.postrider.destination.nats.NatsDestinationBuilder;
import dev.postrider.spi.Destination;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A NATS server and a stream in files; the bare client publishes asynchronously and has up to {@value #WINDOW} messages
 * unacknowledged.
 */
final class BenchNats implements BenchBroker {

    private static final int WINDOW = 1000;

    private final URI uri;
    private final Connection connection;
    private final String name = "postrider-bench-" + UUID.randomUUID();

    BenchNats(String uri) throws Exception {
        this.uri = URI.create(uri);
        this.connection = Nats.connect(uri);
        connection
                .jetStreamManagement()
                .addStream(
                        StreamConfiguration.builder().name(name).subjects(name).build());
    }

    @Override
    public Destination destination() {
        NatsDestinationBuilder builder = NatsDestination.builder("nats")
                .servers("%s://%s:%d".formatted(uri.getScheme(), uri.getHost(), uri.getPort()))
                .subject(message -> name);
        Optional.ofNullable(uri.getUserInfo())
                .map(account -> account.split(":", 2))
                .ifPresent(account -> builder.credentials(account[0], account.length < 2 ? "" : account[1]));
        return builder.build();
    }

    @Override
    public void send(List<BareMessage> messages, DrainTimer timer) throws IOException, InterruptedException {
        List<Message> wire = messages.stream().map(this::wire).toList();
        JetStream stream = connection.jetStream();
        Semaphore window = new Semaphore(WINDOW);
        AtomicLong acknowledged = new AtomicLong();
        for (Message message : wire) {
            window.acquire();
            var unused = stream.publishAsync(message).thenAccept(ack -> {
                timer.reached(acknowledged.incrementAndGet());
                window.release();
            });
        }
        window.acquire(WINDOW);
    }

    private Message wire(BareMessage message) {
        Headers headers = new Headers();
        headers.put("Nats-Msg-Id", message.id());
        headers.put("content-type", message.contentType());
        message.attributes().forEach((attribute, value) -> headers.put("ce-" + attribute, value));
        headers.put("ce-partitionkey", message.key());
        return NatsMessage.builder()
                .subject(name)
                .headers(headers)
                .data(message.payload())
                .build();
    }

    @Override
    public long count() throws Exception {
        return connection
                .jetStreamManagement()
                .getStreamInfo(name)
                .getStreamState()
                .getMsgCount();
    }

    @Override
    public void clear() throws Exception {
        connection.jetStreamManagement().purgeStream(name);
    }

    @Override
    public void remove() throws Exception {
        connection.jetStreamManagement().deleteStream(name);
        connection.close();
    }
}
