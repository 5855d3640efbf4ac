package dev.postrider.destination.nats;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.testservers.NatsServer;
import dev.postrider.testservers.PrivateBroker;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The NATS server of these tests, seen by a client that has nothing in common with the destination. */
final class Server {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofMillis(300);

    private static @Nullable PrivateBroker started;

    private Server() {}

    /** One for all tests of this JVM, which stop and start it in turn; it ends with the build. */
    static synchronized PrivateBroker server() {
        if (started == null) {
            started = NatsServer.startPrivate();
        }
        return started;
    }

    static NatsDestinationBuilder destination() {
        return destination(server().port());
    }

    static NatsDestinationBuilder destination(int port) {
        return NatsDestination.builder("nats")
                .servers("nats://" + server().host() + ":" + port)
                .credentials(server().user(), server().password())
                .maxInFlight(300);
    }

    static String newSubject() {
        return "test." + UUID.randomUUID();
    }

    /** A new subject with a stream that takes it. */
    static String newSubjectWithStream() {
        String subject = newSubject();
        addStream(stream(subject).build());
        return subject;
    }

    static StreamConfiguration.Builder stream(String subject) {
        return StreamConfiguration.builder().name(subject.replace('.', '_')).subjects(subject);
    }

    static void addStream(StreamConfiguration configuration) {
        withConnection(connection -> connection.jetStreamManagement().addStream(configuration));
    }

    /** What the stream of a subject holds; waits for {@code count} different ids, but not for ever. */
    static List<OutboxMessage> messagesIn(String subject, int count) {
        return wireMessagesIn(subject, count).stream().map(EventMapping::read).toList();
    }

    static List<Message> wireMessagesIn(String subject, int count) {
        return withConnection(connection -> {
            JetStreamSubscription subscription = connection
                    .jetStream()
                    .subscribe(
                            subject,
                            PushSubscribeOptions.builder().ordered(true).build());
            return collect(subscription, count);
        });
    }

    /** The same for messages that need be no events. */
    static List<Message> rawMessagesIn(String subject, int count) {
        return withConnection(connection -> {
            JetStreamSubscription subscription = connection
                    .jetStream()
                    .subscribe(
                            subject,
                            PushSubscribeOptions.builder().ordered(true).build());
            List<Message> all = new ArrayList<>();
            Message next = subscription.nextMessage(PATIENCE);
            while (next != null) {
                all.add(next);
                next = subscription.nextMessage(all.size() < count ? PATIENCE : GRACE);
            }
            return all;
        });
    }

    private static List<Message> collect(JetStreamSubscription subscription, int count) throws InterruptedException {
        List<Message> all = new ArrayList<>();
        Set<MessageId> ids = new HashSet<>();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Duration patience = ids.size() < count ? Duration.ofNanos(Math.max(1, end - System.nanoTime())) : GRACE;
            Message next = subscription.nextMessage(patience);
            if (next == null) {
                return all;
            }
            all.add(next);
            ids.add(EventMapping.read(next).id());
        }
    }

    @SuppressWarnings("try") // Closing may be interrupted, which is handled.
    static <T> T withConnection(Work<T> work) {
        String account = server().user() + ":" + server().password();
        String url = "nats://" + account + "@" + server().host() + ":" + server().port();
        try (Connection connection = Nats.connect(url)) {
            return work.with(connection);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } catch (IOException | JetStreamApiException | TimeoutException failed) {
            throw new IllegalStateException("The test's own client failed", failed);
        }
    }

    interface Work<T> {
        T with(Connection connection) throws IOException, JetStreamApiException, InterruptedException, TimeoutException;
    }
}
