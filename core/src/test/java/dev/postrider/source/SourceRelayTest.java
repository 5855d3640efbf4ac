package dev.postrider.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.source.ListSource.Event;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.StoreException;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a relay does with the items of a source. */
class SourceRelayTest extends SourceSetting {

    @Test
    void sendsNothingWhenTheSourceIsEmpty() {
        assertThat(drain()).isEqualTo(new DrainReport(0, 0, 0, true));
        assertThat(destination.sent()).isEmpty();
    }

    @Test
    void sendsEveryItemAndAcknowledgesIt() {
        source.add(event("a1", "a", 1), event("a2", "a", 2), event("b1", "b", 1));

        assertThat(drain()).isEqualTo(new DrainReport(3, 0, 0, true));
        assertThat(source.acknowledged).hasSize(3);
        assertThat(source.events()).isEmpty();
    }

    @Test
    void sendsEachKeyInTheOrderOfItsSequence() {
        source.add(
                event("a300", "a", 300),
                event("b50", "b", 50),
                event("a100", "a", 100),
                event("b10", "b", 10),
                event("a200", "a", 200));
        drain();

        assertThat(deliveredOf("a")).containsExactly("a100", "a200", "a300");
        assertThat(deliveredOf("b")).containsExactly("b10", "b50");
    }

    @Test
    void sendsItemsAsTheyCameWithoutASequence() {
        source.hasSequence = false;
        source.add(event("a3", "a", 3), event("a1", "a", 1));
        drain();

        assertThat(deliveredOf("a")).containsExactly("a3", "a1");
    }

    @Test
    void sendsItemsOfManyKeysAndNoKey() {
        source.add(event("1", "a", 1), event("2", "", 0), event("3", "b", 1), event("4", "", 0), event("5", "c", 1));

        assertThat(drain().delivered()).isEqualTo(5);
        assertThat(source.acknowledged).hasSize(5);
    }

    @Test
    void doesNotPauseBetweenFullBatches() {
        IntStream.range(0, 150).forEach(i -> source.add(event("e" + i, "k" + i % 3, i)));
        Relay relay = relay(store)
                .batchSize(5)
                .maxInFlight(5)
                .minPollInterval(Duration.ofHours(1))
                .maxPollInterval(Duration.ofHours(1))
                .build();

        assertThat(relay.drainOnce().delivered()).isEqualTo(150);
    }

    @Test
    void sendsOneMessageAtATimeWhenToldTo() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        IntStream.range(0, 20).forEach(i -> source.add(event("e" + i, "k" + i % 5, i)));
        try (Destination narrow = Destination.blocking("narrow", message -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
        })) {
            Relay relay = Relay.builder(store, narrow).maxInFlight(1).build();

            assertThat(relay.drainOnce().delivered()).isEqualTo(20);
        }
        assertThat(most).hasValue(1);
        assertThat(source.events()).isEmpty();
    }

    @Test
    void acknowledgesNothingThatTheDestinationDidNotTake() {
        destination.answer(message -> DeliveryResult.retry("busy"));
        source.add(event("a1", "a", 1), event("b1", "b", 1));

        assertThat(drain()).isEqualTo(new DrainReport(0, 2, 0, true));
        assertThat(source.acknowledged).isEmpty();
        assertThat(source.events()).hasSize(2);
        assertThat(store.stats()).isEqualTo(new OutboxStats(2, false, 2, 0, 0, RowCount.NONE, Duration.ZERO));
    }

    @Test
    void leavesEverythingInTheSourceDuringAnOutage() {
        destination.answer(message -> DeliveryResult.outage("connection closed"));
        source.add(event("a1", "a", 1), event("b1", "b", 1));

        assertThat(drain()).isEqualTo(new DrainReport(0, 0, 0, false));
        assertThat(source.events()).hasSize(2);
    }

    @Test
    void triesAgainAfterTheBackoffAndHoldsBackTheKeyOnly() {
        destination.answer(message -> message.type().equals("a1") ? DeliveryResult.retry("busy") : delivered());
        source.add(event("a1", "a", 1), event("a2", "a", 2), event("b1", "b", 1));
        assertThat(drain()).isEqualTo(new DrainReport(1, 1, 0, true));

        source.add(event("a3", "a", 3));
        destination.answer(message -> delivered());
        assertThat(drain().delivered()).isZero();

        clock.advance(Duration.ofSeconds(1));
        assertThat(drain().delivered()).isEqualTo(3);
        assertThat(deliveredOf("a")).containsExactly("a1", "a2", "a3");
    }

    @Test
    void holdsBackTheKeyAtItsOwnDestinationOnly() {
        RecordingDestination mails = new RecordingDestination("mails");
        mails.answer(message -> DeliveryResult.retry("busy"));
        source.add(event("mail1", "a", 1));
        Relay relay = Relay.builder(store, byTopic(mails))
                .backoff(Backoff.constant(Duration.ofSeconds(1)))
                .build();
        relay.drainOnce();
        source.add(event("a2", "a", 2), event("mail3", "a", 3));
        relay.drainOnce();
        assertThat(deliveredOf("a")).containsExactly("a2");
        assertThat(mails.sent()).hasSize(1);

        mails.answer(message -> delivered());
        clock.advance(Duration.ofSeconds(1));
        relay.drainOnce();
        assertThat(delivered(mails)).containsExactly("mail1", "mail3");
    }

    @Test
    void remembersAttemptsThroughAnOutage() {
        destination.answer(message -> DeliveryResult.retry("busy"));
        source.add(event("a1", "a", 1));
        Relay relay = relay(store).maxAttempts(2).build();
        relay.drainOnce();
        destination.answer(message -> DeliveryResult.outage("connection closed"));
        clock.advance(Duration.ofSeconds(1));
        relay.drainOnce();
        assertThat(store.stats().dead()).isZero();

        destination.answer(message -> DeliveryResult.reject("bad"));
        clock.advance(Duration.ofHours(1));
        await(() -> relay.drainOnce().failed() > 0);
        assertThat(store.deadLetters().find(MessageId.of("a1")))
                .hasValueSatisfying(letter -> assertThat(letter.attempts()).isEqualTo(2));
    }

    @Test
    void reportsWhatItHolds() {
        destination.answer(message -> DeliveryResult.retry("busy"));
        source.add(event("a1", "a", 1), event("a2", "a", 2));
        drain();

        HeldReport report = store.heldReport(10);
        assertThat(report.waiting()).isEmpty();
        assertThat(report.heads()).singleElement().satisfies(head -> {
            assertThat(head.ref().id()).isEqualTo(MessageId.of("a1"));
            assertThat(head.attempts()).isOne();
            assertThat(head.error()).isEqualTo("busy");
            assertThat(head.nextAttemptIn()).contains(Duration.ofSeconds(1));
        });
    }

    @Test
    void letsALateLowerSequenceGoFirstWhileItsKeyIsHeld() {
        destination.answerNext(DeliveryResult.retry("busy"));
        source.add(event("a5", "a", 5));
        drain();
        source.add(event("a3", "a", 3));
        drain();

        clock.advance(Duration.ofSeconds(1));
        drain();
        clock.advance(Duration.ofSeconds(1));
        drain();
        assertThat(deliveredOf("a")).containsExactly("a3", "a5");
    }

    @Test
    void isNotStarvedByFailingItemsAtTheHead() {
        destination.answer(
                message -> message.key().orElseThrow().startsWith("bad") ? DeliveryResult.retry("no") : delivered());
        IntStream.range(0, 500).forEach(i -> {
            source.add(event("bad" + i, "bad" + i, 1));
            if (i % 4 == 0) {
                // Else all of them in a row would look like an outage.
                source.add(event("fine" + i, "fine" + i, 1));
            }
        });
        IntStream.range(0, 10).forEach(i -> source.add(event("good" + i, "good", i)));
        Relay relay = relay(store).batchSize(5).maxInFlight(5).build();

        assertThat(relay.drainOnce().delivered()).isEqualTo(135);
        assertThat(source.events()).hasSize(500);
    }

    @Test
    void isNotStarvedByDeadLettersThatStayAtTheHead() {
        destination.answer(message -> message.type().startsWith("bad") ? DeliveryResult.reject("no") : delivered());
        IntStream.range(0, 300).forEach(i -> source.add(event("bad" + i, "", 0)));
        source.add(event("good", "", 0));
        Relay relay = relay(store).batchSize(5).maxInFlight(5).build();

        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 300, 300, true));
        source.add(event("better", "", 0));
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 0, 0, true));
        assertThat(destination.sent()).hasSize(302);
    }

    @Test
    void isNotStarvedByItemsForAPausedDestination() {
        RecordingDestination mails = new RecordingDestination("mails");
        store.pauses().pause("mails", "operator");
        IntStream.range(0, 200).forEach(i -> source.add(event("mail" + i, "", 0)));
        source.add(event("e1", "", 0));
        Relay relay =
                Relay.builder(store, byTopic(mails)).batchSize(5).maxInFlight(5).build();
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 0, 0, false));

        store.pauses().resume("mails", "operator");
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(200, 0, 0, true));
        assertThat(mails.delivered()).hasSize(200);
    }

    @Test
    void looksNoFurtherAheadThanItMay() {
        SourceOutboxStore<Event> shortSighted = store(builder -> builder.lookAhead(100));
        destination.answer(message -> message.type().startsWith("bad") ? DeliveryResult.reject("no") : delivered());
        IntStream.range(0, 100).forEach(i -> source.add(event("bad" + i, "", 0)));
        source.add(event("good", "", 0));

        assertThat(relay(shortSighted).build().drainOnce().delivered()).isZero();
        assertThat(source.limits).allSatisfy(limit -> assertThat(limit).isLessThanOrEqualTo(100));
    }

    @Test
    void stopsEverythingBehindAFailingItemInGlobalOrder() {
        destination.answerNext(delivered(), DeliveryResult.retry("busy"));
        source.add(event("1", "a", 1), event("2", "b", 1), event("3", "c", 1));
        Relay relay = relay(store).ordering(Ordering.GLOBAL).build();
        relay.drainOnce();
        assertThat(delivered(destination)).containsExactly("1");

        clock.advance(Duration.ofSeconds(1));
        relay.drainOnce();
        assertThat(delivered(destination)).containsExactly("1", "2", "3");
    }

    @Test
    void sendsTheIdOfTheItemAndTheRestOfItsMessage() {
        source.toMessage = event -> OutboxMessage.builder("topic")
                .type("type")
                .key("key of " + event.name())
                .header("header", "value")
                .contentType("text/plain")
                .payload(new byte[] {1})
                .build();
        source.add(event("a1", "a", 1));
        drain();

        assertThat(destination.delivered()).singleElement().satisfies(message -> {
            assertThat(message.id()).isEqualTo(MessageId.of("a1"));
            assertThat(message.key()).contains("key of a1");
            assertThat(message.topic()).isEqualTo("topic");
            assertThat(message.type()).isEqualTo("type");
            assertThat(message.headers().get("header")).contains("value");
            assertThat(message.contentType()).isEqualTo("text/plain");
            assertThat(message.payload()).containsExactly(1);
        });
    }

    @Test
    void tellsTheAgeOfAnItemByWhenItWasWritten() {
        source.createdAt = Optional.of(clock.instant().minus(Duration.ofHours(3)));
        destination.answer(message -> DeliveryResult.retry("busy"));
        source.add(event("a1", "a", 1));
        drain();

        assertThat(store.stats().oldestAge()).isEqualTo(Duration.ofHours(3));
    }

    @Test
    void isDeliveredByOneOfTwoRelays() {
        IntStream.range(0, 200).forEach(i -> source.add(event("e" + i, "k" + i % 7, i)));
        try (Relay one = relay(store).build();
                Relay other = relay(store).build()) {
            one.start();
            other.start();
            await(() -> source.events().isEmpty());
            assertThat(one.ownedLanes().size() + other.ownedLanes().size()).isOne();
        }
        assertThat(destination.sent()).hasSize(200);
    }

    @Test
    void isDeliveredOnlyWhileThisProcessIsTheLeader() {
        AtomicBoolean isLeader = new AtomicBoolean();
        SourceOutboxStore<Event> led = store(builder -> builder.onlyWhile(isLeader::get));
        source.add(event("a1", "a", 1));
        assertThat(relay(led).build().drainOnce().delivered()).isZero();

        isLeader.set(true);
        assertThat(relay(led).build().drainOnce().delivered()).isOne();
    }

    @Test
    void wakesTheRelayOnDemand() {
        try (Relay relay = relay(store)
                .minPollInterval(Duration.ofHours(1))
                .maxPollInterval(Duration.ofHours(1))
                .build()) {
            source.add(event("a1", "a", 1));
            relay.start();
            destination.awaitDelivered(1, LONG);

            await(() -> source.events().isEmpty());
            source.add(event("a2", "a", 2));
            Outbox.withDefaults(store).wake();
            destination.awaitDelivered(2, LONG);
        }
    }

    @Test
    void refusesToBeWrittenTo() throws Exception {
        try (Connection connection =
                new InMemoryOutboxStore(1, Clock.systemUTC()).dataSource().getConnection()) {
            connection.setAutoCommit(false);

            assertThatThrownBy(() -> Outbox.withDefaults(store)
                            .enqueue(connection, event("a1", "a", 1).toMessage()))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("The outbox events reads a MessageSource and cannot be written to;"
                            + " add items to that source itself, then call wake()");
        }
    }

    @Test
    void reportsWhatItDidToListeners() {
        AtomicInteger delivered = new AtomicInteger();
        AtomicInteger settled = new AtomicInteger();
        source.add(event("a1", "a", 1), event("a2", "a", 2), event("b1", "b", 1));
        relay(store)
                .listener(new RelayListener() {
                    @Override
                    public void delivered(Attempt attempt, Duration delay, Duration took) {
                        delivered.incrementAndGet();
                    }

                    @Override
                    public void settled(int rows, Duration took) {
                        settled.addAndGet(rows);
                    }
                })
                .build()
                .drainOnce();

        assertThat(delivered).hasValue(3);
        assertThat(settled).hasValue(3);
    }

    @Test
    void refusesBadOptions() {
        assertThatThrownBy(() -> store(builder -> builder.lookAhead(99)))
                .hasMessage("lookAhead is 99, expected 100 to 10000000");
        assertThatThrownBy(() -> SourceOutboxStore.builder(null)).hasMessage("source");
        assertThatThrownBy(() -> MessageId.of(null)).isInstanceOf(InvalidMessageException.class);
    }
}
