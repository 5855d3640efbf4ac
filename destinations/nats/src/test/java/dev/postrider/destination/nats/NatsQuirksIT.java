package dev.postrider.destination.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Outage;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.DeliveryResult.Retry;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.testkit.RelayUnderLoad;
import dev.postrider.testservers.PrivateBroker;
import io.nats.client.api.DiscardPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only JetStream does. */
class NatsQuirksIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final PrivateBroker server = Server.server();
    private final List<Destination> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(Destination::close);
    }

    private Destination open(NatsDestinationBuilder builder) {
        Destination destination = builder.build();
        opened.add(destination);
        return destination;
    }

    private static OutboxMessage message(String subject) {
        return OutboxMessage.builder(subject).type("com.example.Placed").build();
    }

    private static DeliveryResult send(Destination destination, OutboxMessage message) {
        CompletableFuture<DeliveryResult> sending = destination.send(message).toCompletableFuture();
        assertThat(sending).succeedsWithin(SOON);
        return sending.join();
    }

    private static String reason(DeliveryResult result) {
        return ((Failed) result).reason();
    }

    @Test
    void storesAMessageOnceThatIsSentTwice() {
        String subject = Server.newSubjectWithStream();
        OutboxMessage message = message(subject);
        Destination first = open(Server.destination());
        Destination second = open(Server.destination());

        assertThat(send(first, message)).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(send(second, message)).isEqualTo(DeliveryResult.DELIVERED);

        assertThat(Server.messagesIn(subject, 1)).hasSize(1);
    }

    @Test
    void failsWhatBelongsToAnotherStreamThanExpected() {
        String subject = Server.newSubjectWithStream();
        Destination destination = open(Server.destination().expectedStream("OTHER"));

        DeliveryResult result = send(destination, message(subject));

        assertThat(result).isInstanceOf(Unavailable.class);
        assertThat(reason(result)).contains(subject).contains("expectedStream");
        assertThat(Server.messagesIn(subject, 0)).isEmpty();
    }

    @Test
    void asksOnFewThreadsWhyNoStreamTookManyMessages() {
        Destination destination = open(Server.destination().maxInFlight(200));

        List<CompletableFuture<DeliveryResult>> sendings = IntStream.range(0, 200)
                .mapToObj(i -> destination.send(message("nowhere." + i)).toCompletableFuture())
                .toList();

        assertThat(sendings)
                .allSatisfy(sending ->
                        assertThat(sending).succeedsWithin(SOON).isInstanceOfAny(Unavailable.class, Outage.class));
        assertThat(reason(sendings.get(0).join())).contains("nowhere.0");
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("postrider-nats-ask")))
                .hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void createsAMissingStreamWhereThatIsAllowed() {
        String subject = Server.newSubject();
        Destination destination =
                open(Server.destination().createStream(Server.stream(subject).build()));
        List<CompletableFuture<DeliveryResult>> sendings = IntStream.range(0, 20)
                .mapToObj(i -> destination.send(message(subject)).toCompletableFuture())
                .toList();

        assertThat(sendings)
                .allSatisfy(each -> assertThat(each).succeedsWithin(SOON).isEqualTo(DeliveryResult.DELIVERED));
        assertThat(send(destination, message(Server.newSubject()))).isInstanceOf(Unavailable.class);
        assertThat(Server.messagesIn(subject, 20)).hasSize(20);
    }

    @Test
    void rejectsWhatTheStreamFindsTooLarge() {
        String subject = Server.newSubject();
        Server.addStream(Server.stream(subject).maximumMessageSize(2_000).build());
        Destination destination = open(Server.destination());
        OutboxMessage large = OutboxMessage.builder(subject)
                .type("t")
                .payload(new byte[3_000])
                .build();

        DeliveryResult result = send(destination, large);

        assertThat(result).isInstanceOf(Reject.class);
        assertThat(reason(result)).contains("max_msg_size");
        assertThat(send(destination, message(subject))).isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void saysThatAStreamIsFull() {
        String subject = Server.newSubject();
        Server.addStream(Server.stream(subject)
                .maxMessages(1)
                .discardPolicy(DiscardPolicy.New)
                .build());
        Destination destination = open(Server.destination());
        assertThat(send(destination, message(subject))).isEqualTo(DeliveryResult.DELIVERED);

        DeliveryResult result = send(destination, message(subject));

        assertThat(result).isInstanceOf(Unavailable.class);
        assertThat(reason(result)).contains(subject).contains("full");
    }

    @Test
    void doesNotTakeTheAnswerOfAServiceForAnAcknowledgement() {
        String subject = Server.newSubject();
        Destination destination = open(Server.destination());

        DeliveryResult result = Server.withConnection(connection -> {
            connection
                    .createDispatcher(request -> connection.publish(
                            request.getReplyTo(), "thanks".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                    .subscribe(subject);
            connection.flush(Duration.ofSeconds(5));
            return send(destination, message(subject));
        });

        assertThat(result).isInstanceOf(Retry.class);
        assertThat(reason(result)).contains("no acknowledgement");
    }

    @Test
    void usesTheServerThatAnswers() {
        String subject = Server.newSubjectWithStream();
        Destination destination = open(
                Server.destination().servers("nats://127.0.0.1:1", "nats://" + server.host() + ":" + server.port()));

        assertThat(send(destination, message(subject))).isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void endsWhatAServerThatStandsStillDoesNotAnswer() {
        String subject = Server.newSubjectWithStream();
        Destination destination = open(Server.destination().deliveryTimeout(Duration.ofSeconds(4)));
        awaitDelivered(destination, subject);

        server.freeze();
        try {
            List<CompletableFuture<DeliveryResult>> sendings = IntStream.range(0, 100)
                    .mapToObj(i -> destination
                            .send(OutboxMessage.builder(subject)
                                    .type("t")
                                    .payload(new byte[500_000])
                                    .build())
                            .toCompletableFuture())
                    .toList();
            assertThat(sendings)
                    .allSatisfy(each -> assertThat(each).succeedsWithin(SOON).isInstanceOf(Outage.class));
            assertThat(destination.healthCheck()).isInstanceOf(Health.Down.class);
        } finally {
            server.thaw();
        }
        awaitDelivered(destination, subject);
    }

    private static void awaitDelivered(Destination destination, String subject) {
        RelayUnderLoad.await(
                "a delivery", () -> send(destination, message(subject)) instanceof DeliveryResult.Delivered);
    }
}
