package dev.postrider.destination.nats;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverListener;
import dev.postrider.testkit.ReceiverFixture;
import io.nats.client.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A stream and a consumer of their own for each test. */
final class NatsReceiverFixture implements ReceiverFixture {

    static final int MAX_ATTEMPTS = 3;

    private final String subject = Server.newSubjectWithStream();
    private final String consumer = "c-" + stream();

    String stream() {
        return subject.replace('.', '_');
    }

    @Override
    public Receiver open(int prefetch, ReceiverListener listener) {
        return builder().prefetch(prefetch).listener(listener).build();
    }

    NatsReceiverBuilder builder() {
        return builder(Server.server().port());
    }

    NatsReceiverBuilder builder(int port) {
        return NatsReceiver.builder(consumer, stream())
                .servers("nats://" + Server.server().host() + ":" + port)
                .credentials(Server.server().user(), Server.server().password())
                .maxAttempts(MAX_ATTEMPTS)
                .ackWait(Duration.ofSeconds(2))
                .backoff(Backoff.constant(Duration.ofMillis(100)))
                .createParkingStream(true);
    }

    @Override
    public String topic() {
        return subject;
    }

    String consumer() {
        return consumer;
    }

    @Override
    public int maxAttempts() {
        return MAX_ATTEMPTS;
    }

    @Override
    public void send(OutboxMessage message) {
        send(new EventMapping(OutboxMessage::topic, Subjects.OF_APPLICATIONS, "/test", Optional.empty())
                .write(message));
    }

    void send(Message wire) {
        Server.withConnection(connection -> connection.jetStream().publish(wire));
    }

    String parkingSubject() {
        return "parked." + consumer;
    }

    @Override
    public List<OutboxMessage> parked(int count) {
        return Server.messagesIn(parkingSubject(), count);
    }

    @Override
    public void close() {
        Server.withConnection(connection -> {
            for (String name : connection.jetStreamManagement().getStreamNames()) {
                if (name.equals(stream()) || name.equals(consumer + "-parked")) {
                    connection.jetStreamManagement().deleteStream(name);
                }
            }
            return null;
        });
    }
}
