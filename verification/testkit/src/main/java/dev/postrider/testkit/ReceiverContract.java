package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Headers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Receiver} must do: one suite for all.
 *
 * <p>A receiver's test is a subclass with a factory method, and beside it the quirks of its kind, above all what happens when the
 * connection breaks.
 */
public abstract class ReceiverContract {

    private static final Duration SOON = Duration.ofSeconds(30);

    private @Nullable ReceiverDriver driver;

    protected ReceiverContract() {}

    /** A way to open receivers, to send to them and to see what they parked. */
    protected abstract ReceiverFixture newFixture();

    private ReceiverDriver driver() {
        if (driver == null) {
            driver = new ReceiverDriver(newFixture());
        }
        return driver;
    }

    @AfterEach
    final void closeReceivers() {
        if (driver != null) {
            driver.close();
        }
    }

    @Test
    final void handsOverTheWholeMessage() {
        driver().open();
        OutboxMessage sent = driver().send(driver().message()
                .key("key-17")
                .contentType("application/json; charset=utf-8")
                .payload(new byte[] {0, -1, 7})
                .header(Headers.SOURCE, "/contract")
                .header(Headers.SUBJECT, "Größe")
                .header(Headers.TIME, "2026-01-31T12:00:00Z")
                .header("ce_tenant", "blue")
                .header("plain", "value")
                .build());

        Delivery delivery = driver().next();

        OutboxMessage arrived = delivery.message();
        assertThat(arrived.id()).isEqualTo(sent.id());
        assertThat(arrived.type()).isEqualTo(sent.type());
        assertThat(arrived.key()).isEqualTo(sent.key());
        assertThat(arrived.contentType()).isEqualTo(sent.contentType());
        assertThat(arrived.payload()).isEqualTo(sent.payload());
        assertThat(arrived.headers().asMap())
                .containsAllEntriesOf(sent.headers().asMap());
        assertThat(delivery.event().source()).isEqualTo("/contract");
        assertThat(delivery.event().extensions()).containsEntry("tenant", "blue");
    }

    @Test
    final void handsOverTheIdThatItsProducerChose() {
        driver().open();
        for (String contentType : new String[] {"text/plain", "application/cloudevents+json"}) {
            // Another one each time: a broker may know an id that it has seen.
            String id = "not a uuid " + contentType;
            driver().send(driver().message()
                    .id(MessageId.of(id))
                    .contentType(contentType)
                    .payload("{}".getBytes(StandardCharsets.UTF_8))
                    .build());

            Delivery delivery = driver().next();

            assertThat(delivery.message().id().text()).isEqualTo(id);
            assertThat(delivery.event().id()).isEqualTo(id);
            delivery.acknowledge();
        }
    }

    /** One object with attributes and payload, where the content type says so. */
    @Test
    final void handsOverTheSameInStructuredMode() {
        driver().open();
        OutboxMessage sent = driver().send(driver().message()
                .key("book-17")
                .contentType("application/cloudevents+json")
                .payload("{\"title\": \"Größe\"}".getBytes(StandardCharsets.UTF_8))
                .header(Headers.SOURCE, "/contract")
                .header(Headers.SUBJECT, "17 \"ä\"")
                .header("ce_tenant", "blue")
                .header("plain", "value")
                .build());

        Delivery delivery = driver().next();

        OutboxMessage arrived = delivery.message();
        assertThat(arrived.id()).isEqualTo(sent.id());
        assertThat(arrived.type()).isEqualTo(sent.type());
        assertThat(arrived.key()).isEqualTo(sent.key());
        assertThat(arrived.contentType()).endsWith("json");
        assertThat(arrived.payload()).isEqualTo(sent.payload());
        assertThat(arrived.headers().get("plain")).contains("value");
        assertThat(delivery.event().source()).isEqualTo("/contract");
        assertThat(delivery.event().subject()).contains("17 \"ä\"");
        assertThat(delivery.event().extensions()).containsEntry("tenant", "blue");
    }

    @Test
    final void countsAttemptsFromOne() {
        driver().open();
        driver().send(driver().message("key"));

        Delivery first = driver().next();
        first.retryLater("not yet");
        Delivery second = driver().next();

        assertThat(first.attempt()).isEqualTo(1);
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.message().id()).isEqualTo(first.message().id());
        second.acknowledge();
        driver().expectNothingMore();
    }

    @Test
    final void forgetsWhatWasAcknowledged() {
        Receiver receiver = driver().open();
        driver().send(driver().message("key"));
        driver().next().acknowledge();

        receiver.close();
        driver().open();

        driver().expectNothingMore();
    }

    @Test
    final void parksWhatCanNeverBeHandled() {
        driver().open();
        OutboxMessage sent = driver().send(driver().message("key"));

        driver().next().park("unreadable");

        assertThat(driver().fixture().parked(1)).extracting(OutboxMessage::id).containsExactly(sent.id());
        driver().expectNothingMore();
    }

    @Test
    final void parksWhenTheAttemptsAreUsedUp() {
        driver().open();
        OutboxMessage sent = driver().send(driver().message("key"));

        for (int attempt = 1; attempt <= driver().fixture().maxAttempts(); attempt++) {
            Delivery delivery = driver().next();
            assertThat(delivery.attempt()).isEqualTo(attempt);
            delivery.retryLater("still not");
        }

        assertThat(driver().fixture().parked(1)).extracting(OutboxMessage::id).containsExactly(sent.id());
        driver().expectNothingMore();
    }

    @Test
    final void tellsItsListenerWhatBecameOfEachMessage() {
        RecordedReceptions receptions = new RecordedReceptions();
        driver().open(receptions);
        driver().send(driver().message("key"));
        driver().next().retryLater("not yet");
        driver().next().acknowledge();
        driver().send(driver().message("key"));
        driver().next().park("unreadable");

        assertThat(driver().fixture().parked(1)).hasSize(1);
        assertThat(receptions.reports())
                .containsExactly(
                        "received", "failed", "retried", "received", "handled", "received", "failed", "parked");
    }

    @Test
    final void takesAHandlerThatThrowsForARetry() {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<Delivery> second = new CompletableFuture<>();
        driver().open(4, delivery -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("no room");
            }
            delivery.acknowledge();
            second.complete(delivery);
        });

        driver().send(driver().message("key"));

        assertThat(second)
                .succeedsWithin(SOON)
                .satisfies(delivery -> assertThat(delivery.attempt()).isEqualTo(2));
    }

    @Test
    final void holdsBackMoreThanThePrefetch() {
        Receiver receiver = driver().open(3);
        for (int i = 0; i < 6; i++) {
            driver().send(driver().message("key-" + i));
        }

        List<Delivery> first = driver().next(3);

        assertThat(receiver.prefetch()).isEqualTo(3);
        driver().expectNothingMore();
        first.forEach(Delivery::acknowledge);
        List<Delivery> second = driver().next(3);
        second.forEach(Delivery::acknowledge);
        assertThat(ReceiverDriver.ids(second)).doesNotContainAnyElementsOf(ReceiverDriver.ids(first));
    }

    @Test
    final void keepsTheOrderOfAKey() {
        driver().open(8);
        List<OutboxMessage> sent = driver().send("key", 30);

        for (OutboxMessage expected : sent) {
            Delivery delivery = driver().next();
            assertThat(delivery.message().id()).isEqualTo(expected.id());
            delivery.acknowledge();
        }
    }

    @Test
    final void handsOverOneMessageOfAKeyAtATime() {
        driver().open(8);
        List<OutboxMessage> sent = driver().send("key", 2);

        Delivery first = driver().next();

        driver().expectNothingMore();
        first.acknowledge();
        assertThat(driver().next().message().id()).isEqualTo(sent.get(1).id());
    }

    @Test
    final void holdsBackTheKeyOfARetriedMessageIfItPromisesOrder() {
        Receiver receiver = driver().open();
        Assumptions.assumeTrue(receiver.ordering() != Ordering.NONE, "keeps no order on a retry");
        List<OutboxMessage> sent = driver().send("key", 2);
        driver().next().retryLater("not yet");
        OutboxMessage other = driver().send(driver().message("other"));

        List<Delivery> next = driver().next(2);
        next.forEach(Delivery::acknowledge);

        assertThat(ReceiverDriver.ids(next))
                .containsExactlyInAnyOrder(sent.get(0).id(), other.id());
        assertThat(driver().next().message().id()).isEqualTo(sent.get(1).id());
    }

    @Test
    final void ignoresASecondSettlement() {
        driver().open();
        driver().send(driver().message("key"));
        Delivery delivery = driver().next();

        delivery.acknowledge();
        delivery.retryLater("too late");
        delivery.park("too late");

        driver().expectNothingMore();
        assertThat(driver().fixture().parked(0)).isEmpty();
    }

    @Test
    final void handsOverNothingOnceStopped() {
        Receiver receiver = driver().open();
        driver().send(driver().message("before"));
        Delivery before = driver().next();

        receiver.stop();
        driver().expectNothingMore();
        before.acknowledge();
        receiver.close();
        driver().open();

        driver().expectNothingMore();
    }

    @Test
    final void givesBackWhatIsUnsettledWhenItCloses() {
        Receiver receiver = driver().open();
        MessageId first = driver().send(driver().message("a")).id();
        MessageId second = driver().send(driver().message("b")).id();
        List<Delivery> unsettled = driver().next(2);

        receiver.close();
        unsettled.forEach(Delivery::acknowledge);
        driver().open();

        assertThat(ReceiverDriver.ids(driver().next(2))).containsExactlyInAnyOrder(first, second);
    }

    @Test
    final void sharesMessagesWithOthersOfItsGroup() {
        driver().open(1);
        driver().open(1);
        MessageId first = driver().send(driver().message("a")).id();
        MessageId second = driver().send(driver().message("b")).id();

        List<Delivery> both = driver().next(2);

        assertThat(ReceiverDriver.ids(both)).containsExactlyInAnyOrder(first, second);
        both.forEach(Delivery::acknowledge);
        driver().expectNothingMore();
    }

    @Test
    final void endsNormallyWhenItIsClosed() {
        Receiver receiver = driver().open();
        assertThat(receiver.termination().toCompletableFuture()).isNotDone();

        receiver.close();
        receiver.close();

        assertThat(receiver.termination().toCompletableFuture()).succeedsWithin(SOON);
    }

    @Test
    final void startsOnlyOnce() {
        Receiver receiver = driver().open();

        assertThatThrownBy(() -> receiver.start(Subscription.toAll("again"), delivery -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(receiver.name());
    }
}
