package dev.postrider.benchmarks;

import dev.postrider.destination.nats.NatsDestination;
import dev.postrider.spi.Destination;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.NatsServer;
import dev.postrider.testservers.PrivateBroker;
import dev.postrider.testservers.Servers;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One NATS server and a stream in files; the bare client publishes asynchronously and has up to {@value #WINDOW} messages
 * unacknowledged.
 */
final class BenchNats implements BenchBroker {

    private static final int WINDOW = 1000;

    private final Broker broker;
    private final Optional<PrivateBroker> started;
    private final Connection connection;
    private final String name = TOPIC + "-" + UUID.randomUUID();

    private BenchNats(Broker broker, Optional<PrivateBroker> started) throws Exception {
        this.broker = broker;
        this.started = started;
        this.connection = Nats.connect(Options.builder()
                .server(url())
                .userInfo(broker.user(), broker.password())
                .build());
        connection
                .jetStreamManagement()
                .addStream(
                        StreamConfiguration.builder().name(name).subjects(name).build());
    }

    static BenchNats start(boolean fast) throws Exception {
        if (fast) {
            return new BenchNats(Servers.nats(), Optional.empty());
        }
        PrivateBroker server = NatsServer.startPrivate();
        return new BenchNats(server, Optional.of(server));
    }

    private String url() {
        return "nats://" + broker.host() + ":" + broker.port();
    }

    @Override
    public Destination destination() {
        return NatsDestination.builder("nats")
                .servers(url())
                .credentials(broker.user(), broker.password())
                .subject(message -> name)
                .build();
    }

    @Override
    public void send(List<BareMessage> messages, Stretch stretch) throws IOException, InterruptedException {
        List<Message> wire = messages.stream().map(this::wire).toList();
        JetStream stream = connection.jetStream();
        Semaphore window = new Semaphore(WINDOW);
        AtomicLong acknowledged = new AtomicLong();
        for (Message message : wire) {
            window.acquire();
            var unused = stream.publishAsync(message).thenAccept(ack -> {
                stretch.reached(acknowledged.incrementAndGet());
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
    public void clear() throws Exception {
        connection.jetStreamManagement().purgeStream(name);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        started.ifPresent(PrivateBroker::close);
    }
}
