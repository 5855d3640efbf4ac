package dev.postrider.destination.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import dev.postrider.testkit.RecordedReceptions;
import io.nats.client.Message;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only NATS has: its patience, its consumers, and a server that comes and goes. */
class NatsReceiverQuirksIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final NatsReceiverFixture fixture = new NatsReceiverFixture();
    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();

    @AfterEach
    void endFixture() {
        if (!Server.server().isRunning()) {
            Server.server().restart();
        }
        fixture.close();
    }

    private Receiver start(NatsReceiverBuilder builder) {
        Receiver receiver = builder.build();
        receiver.start(Subscription.toAll("test"), deliveries::add);
        return receiver;
    }

    private OutboxMessage send(String key) {
        OutboxMessage message =
                OutboxMessage.builder(fixture.topic()).type("t").key(key).build();
        fixture.send(message);
        return message;
    }

    private Delivery next() throws InterruptedException {
        Delivery next = deliveries.poll(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        assertThat(next).as("a delivery").isNotNull();
        return next;
    }

    private boolean isQuietFor(Duration time) throws InterruptedException {
        return deliveries.poll(time.toNanos(), TimeUnit.NANOSECONDS) == null;
    }

    @Test
    void handsOverEventsOfOneSubjectOneAtATimeIfItIsTheKey() throws InterruptedException {
        try (Receiver receiver = start(fixture.builder().keyAttribute("subject"))) {
            OutboxMessage first = sendAbout("book-1", "a");
            OutboxMessage second = sendAbout("book-1", "b");
            OutboxMessage other = sendAbout("book-2", "c");

            Delivery handled = next();
            assertThat(handled.message().id()).isEqualTo(first.id());
            // The second waits for the first, so the third comes before it.
            assertThat(next().message().id()).isEqualTo(other.id());
            handled.acknowledge();
            assertThat(next().message().id()).isEqualTo(second.id());
            assertThat(receiver.healthCheck()).isEqualTo(Health.UP);
        }
    }

    private OutboxMessage sendAbout(String subject, String key) {
        OutboxMessage message = OutboxMessage.builder(fixture.topic())
                .type("t")
                .key(key)
                .header("ce_subject", subject)
                .build();
        fixture.send(message);
        return message;
    }

    @Test
    void makesTheServerWaitForALongHandler() throws InterruptedException {
        try (Receiver receiver = start(fixture.builder().ackWait(Duration.ofSeconds(1)))) {
            send("a");
            Delivery slow = next();

            assertThat(isQuietFor(Duration.ofSeconds(3))).as("handed over once").isTrue();
            assertThat(deliveriesOfTheServer()).isEqualTo(1);
            slow.acknowledge();
            assertThat(isQuietFor(Duration.ofSeconds(2))).as("acknowledged").isTrue();
            assertThat(receiver.healthCheck()).isEqualTo(Health.UP);
        }
    }

    /** Handlers that are interrupted as the subscriber closes may end well nevertheless. */
    @Test
    @SuppressWarnings("try")
    void acknowledgesOnAnInterruptedThread() throws InterruptedException {
        try (Receiver receiver = start(fixture.builder().ackWait(Duration.ofSeconds(1)))) {
            send("a");
            Delivery delivery = next();

            Thread.currentThread().interrupt();
            delivery.acknowledge();
            assertThat(Thread.interrupted()).isTrue();

            assertThat(isQuietFor(Duration.ofSeconds(3))).as("acknowledged").isTrue();
        }
    }

    private long deliveriesOfTheServer() {
        return Server.withConnection(connection -> connection
                .jetStreamManagement()
                .getConsumerInfo(fixture.stream(), fixture.consumer())
                .getDelivered()
                .getConsumerSequence());
    }

    @Test
    void goesOnWhenItsConnectionIsCutAndAcknowledgesOverTheNext() throws InterruptedException {
        try (TcpFaultProxy proxy =
                        TcpFaultProxy.to(Server.server().host(), Server.server().port());
                Receiver receiver = start(fixture.builder(proxy.port()))) {
            send("a");
            Delivery before = next();

            proxy.resetAll();
            OutboxMessage after = send("b");
            Delivery second = next();
            assertThat(second.message().id()).isEqualTo(after.id());
            before.acknowledge();
            second.acknowledge();

            assertThat(isQuietFor(Duration.ofSeconds(3)))
                    .as("nothing comes again")
                    .isTrue();
            assertThat(receiver.termination().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void goesOnWhenTheServerIsBack() throws InterruptedException {
        try (Receiver receiver = start(fixture.builder())) {
            send("a");
            next().acknowledge();

            Server.server().killHard();
            awaitDown(receiver);
            Server.server().restart();
            OutboxMessage after = send("b");

            OutboxMessage arrived = next().message();
            // The server may not have noted the acknowledgement before it was killed.
            assertThat(arrived.id().equals(after.id()) || next().message().id().equals(after.id()))
                    .isTrue();
        }
    }

    private static void awaitDown(Receiver receiver) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!(receiver.healthCheck() instanceof Health.Down)) {
            assertThat(System.nanoTime()).as("down").isLessThan(deadline);
            Thread.sleep(50);
        }
    }

    @Test
    void parksAtOnceWhatIsNoEventAndGoesOn() throws InterruptedException {
        byte[] data = "value".getBytes(StandardCharsets.UTF_8);
        fixture.send(wire(null, data));
        fixture.send(wire(new Headers().put("ce-id", "1").put("ce-specversion", "1.0"), data));
        fixture.send(wire(
                new Headers()
                        .put("ce-id", "2")
                        .put("ce-specversion", "9.9")
                        .put("ce-source", "%")
                        .put("ce-type", ""),
                data));
        OutboxMessage good = send("a");

        try (Receiver receiver = start(fixture.builder())) {
            assertThat(next().message().id()).isEqualTo(good.id());
            List<Message> parked = Server.rawMessagesIn(fixture.parkingSubject(), 3);
            assertThat(parked).hasSize(3).allSatisfy(message -> {
                assertThat(message.getData()).isEqualTo(data);
                assertThat(message.getHeaders().getFirst(Parking.REASON)).contains("no CloudEvent");
                assertThat(message.getHeaders().getFirst(Parking.SUBJECT)).isEqualTo(fixture.topic());
                assertThat(message.getHeaders().getFirst(Parking.POSITION)).startsWith(fixture.stream() + "@");
            });
            assertThat(receiver.termination().toCompletableFuture()).isNotDone();
        }
    }

    private Message wire(Headers headers, byte[] data) {
        return NatsMessage.builder()
                .subject(fixture.topic())
                .headers(headers)
                .data(data)
                .build();
    }

    @Test
    void parksAMessageThatLeavesNoRoomForAReason() throws InterruptedException {
        byte[] payload = new byte[(1 << 20) - 200];
        try (Receiver receiver = start(fixture.builder())) {
            OutboxMessage huge = OutboxMessage.builder(fixture.topic())
                    .type("t")
                    .payload(payload)
                    .build();
            fixture.send(huge);

            next().park("x".repeat(2_000));

            assertThat(fixture.parked(1))
                    .singleElement()
                    .satisfies(parked -> assertThat(parked.id()).isEqualTo(huge.id()));
            assertThat(receiver.healthCheck()).isEqualTo(Health.UP);
        }
    }

    @Test
    void parksAMessageWhoseConsumerDiesEachTime() throws InterruptedException {
        OutboxMessage deadly = send("a");
        for (int attempt = 1; attempt <= NatsReceiverFixture.MAX_ATTEMPTS; attempt++) {
            try (Receiver receiver = start(fixture.builder())) {
                assertThat(next().attempt()).as("of %s", receiver.name()).isEqualTo(attempt);
            }
        }

        try (Receiver receiver = start(fixture.builder())) {
            assertThat(fixture.parked(1)).extracting(OutboxMessage::id).containsExactly(deadly.id());
            assertThat(receiver.termination().toCompletableFuture()).isNotDone();
        }
        assertThat(deliveries).isEmpty();
    }

    @Test
    void endsWhenItsConsumerIsDeleted() {
        try (Receiver receiver = start(fixture.builder())) {
            Server.withConnection(connection ->
                    connection.jetStreamManagement().deleteConsumer(fixture.stream(), fixture.consumer()));

            assertThat(receiver.termination().toCompletableFuture())
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withMessageContaining("was deleted");
        }
    }

    @Test
    void saysWhatIsMissingOrDoesNotFit() {
        refuses(NatsReceiver.builder("c", "no-stream"), "stream no-stream does not exist");
        refuses(fixture.builder().createConsumer(false), "allow createConsumer");
        refuses(fixture.builder().createParkingStream(false), "allow createParkingStream");
        refuses(fixture.builder().parkingSubject(fixture.topic()), "would arrive again");
        refuses(fixture.builder().credentials("nobody", "wrong"), "check user name and password");
        Server.withConnection(connection -> connection
                .jetStreamManagement()
                .addOrUpdateConsumer(
                        fixture.stream(),
                        ConsumerConfiguration.builder()
                                .durable(fixture.consumer())
                                .maxDeliver(5)
                                .build()));
        refuses(fixture.builder(), "max_deliver");
    }

    private void refuses(NatsReceiverBuilder builder, String reason) {
        NatsReceiverBuilder reachable = builder.servers(
                "nats://" + Server.server().host() + ":" + Server.server().port());
        try (Receiver receiver = (reason.contains("password") ? reachable : withAccount(reachable)).build()) {
            assertThatThrownBy(() -> receiver.start(Subscription.toAll("test"), deliveries::add))
                    .isInstanceOf(ReceiverException.class)
                    .hasMessageContaining(reason);
            assertThat(receiver.termination().toCompletableFuture()).isCompletedExceptionally();
        }
    }

    private static NatsReceiverBuilder withAccount(NatsReceiverBuilder builder) {
        return builder.credentials(Server.server().user(), Server.server().password());
    }

    @Test
    void speaksTls() throws InterruptedException {
        try (Receiver receiver =
                start(fixture.builder().tls(Server.server().certificate().trusting()))) {
            OutboxMessage sent = send("a");

            assertThat(next().message().id()).isEqualTo(sent.id());
            assertThat(receiver.ordering()).isEqualTo(Ordering.NONE);
        }
    }

    @Test
    void tellsItsListenerOfAMessageThatIsNoEvent() {
        RecordedReceptions receptions = new RecordedReceptions();
        try (Receiver receiver = start(fixture.builder().listener(receptions))) {
            fixture.send(wire(null, new byte[] {1}));

            assertThat(Server.rawMessagesIn(fixture.parkingSubject(), 1)).hasSize(1);
            assertThat(receptions.reports()).containsExactly("parked");
            assertThat(receiver.termination().toCompletableFuture()).isNotDone();
        }
    }
}
