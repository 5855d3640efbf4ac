package dev.postrider.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.postrider.Outbox;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.source.ListSource.Event;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.StoreException;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.TestClock;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SourceRelayTest {

    private static final Duration LONG = Duration.ofSeconds(10);

    private final ListSource source = new ListSource();
    private final TestClock clock = new TestClock();
    private final SourceOutboxStore<Event> store = store(builder -> builder);
    private final RecordingDestination destination = new RecordingDestination("destination");

    @BeforeAll
    static void expectWarnings() {
        logger("dev.postrider").setLevel(Level.OFF);
    }

    @AfterAll
    static void warnAgain() {
        logger("dev.postrider").setLevel(null);
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }

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
        SourceOutboxStore<Event> unordered =
                SourceOutboxStore.builder(source, Event::id, Event::toMessage).build();
        source.add(event("a3", "a", 3), event("a1", "a", 1));
        relay(unordered).build().drainOnce();

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
    void sendsOneKeyAtATimeWhenToldTo() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        IntStream.range(0, 20).forEach(i -> source.add(event("e" + i, "k" + i % 5, i)));
        try (Destination narrow = Destination.blocking("narrow", message -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
        })) {
            Relay relay = Relay.builder(store, narrow).maxConcurrentKeys(1).build();

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
        assertThat(store.stats()).isEqualTo(new OutboxStats(0, false, 2, 0, 0, 0, Duration.ZERO));
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
        IntStream.range(0, 500).forEach(i -> source.add(event("bad" + i, "bad" + i, 1)));
        IntStream.range(0, 10).forEach(i -> source.add(event("good" + i, "good", i)));
        Relay relay = relay(store).batchSize(5).maxInFlight(5).build();

        assertThat(relay.drainOnce().delivered()).isEqualTo(10);
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
    void tellsTheSourceWhatWasGivenUpAndWhy() {
        destination.answer(message -> DeliveryResult.retry("never"));
        source.movesAway = true;
        source.add(event("a1", "a", 1));
        Relay relay = relay(store).maxAttempts(2).build();
        relay.drainOnce();
        clock.advance(Duration.ofSeconds(1));
        relay.drainOnce();

        assertThat(source.givenUp).containsExactly("a1 ATTEMPTS_EXHAUSTED never");
        assertThat(source.events()).isEmpty();
        assertThat(source.acknowledged).isEmpty();
        relay.drainOnce();
        assertThat(store.stats().dead()).isZero();
    }

    @Test
    void keepsADeadLetterInMemoryWhileTheSourceStillReturnsIt() {
        reject("a1");
        source.add(event("a1", "a", 1), event("a2", "a", 2));
        drain();
        assertThat(drain().delivered()).isZero();

        assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
                .singleElement()
                .satisfies(letter -> {
                    assertThat(letter.message().type()).isEqualTo("a1");
                    assertThat(letter.reason()).isEqualTo(DeadReason.REJECTED);
                    assertThat(letter.attempts()).isEqualTo(1);
                    assertThat(letter.error()).isEqualTo("bad");
                });
        assertThat(store.deadLetters().find(event("a1", "a", 1).id())).isPresent();
        assertThat(store.deadLetters().count(DeadLetterFilter.all().withKey("b"), 10))
                .isZero();
        assertThat(deliveredOf("a")).containsExactly("a2");
    }

    @Test
    void triesADeadLetterAgainWhenAnOperatorWants() {
        reject("a1");
        source.add(event("a1", "a", 1));
        drain();
        destination.answer(message -> delivered());
        assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "operator"))
                .isOne();
        assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "operator"))
                .isZero();

        assertThat(drain().delivered()).isOne();
        assertThat(source.events()).isEmpty();
        assertThat(store.stats().dead()).isZero();
    }

    @Test
    void acknowledgesADeadLetterThatAnOperatorDiscards() {
        reject("a1");
        source.add(event("a1", "a", 1));
        drain();

        assertThat(store.deadLetters().discard(DeadLetterFilter.all(), 10, "operator"))
                .isOne();
        assertThat(source.acknowledged).containsExactly(event("a1", "a", 1));
        assertThat(drain().delivered()).isZero();
    }

    @Test
    void keepsADeadLetterThatCouldNotBeDiscarded() {
        reject("a1");
        source.add(event("a1", "a", 1));
        drain();
        source.failsToAcknowledge = true;

        assertThatThrownBy(() -> store.deadLetters().discard(DeadLetterFilter.all(), 10, "operator"))
                .isInstanceOf(StoreException.class)
                .hasMessage("The source events failed to acknowledge: java.io.IOException: read-only disk");
        assertThat(store.deadLetters().count(DeadLetterFilter.all(), 10)).isOne();
    }

    @Test
    void discardsOldDeadLettersInACleanup() {
        reject("a1");
        source.add(event("a1", "a", 1));
        drain();
        assertThat(store.maintenance().deleteDeadLetters(Duration.ofHours(1), 10))
                .isZero();

        clock.advance(Duration.ofHours(2));
        assertThat(store.maintenance().deleteDeadLetters(Duration.ofHours(1), 10))
                .isOne();
        assertThat(source.events()).isEmpty();
    }

    @Test
    void goesOnWhenTheSourceCannotTakeBackADeadLetterAndTellsItLater() {
        reject("a1");
        source.failsToGiveUp = true;
        source.add(event("a1", "a", 1), event("b1", "b", 1));
        assertThat(drain()).isEqualTo(new DrainReport(1, 1, 1, true));
        assertThat(source.givenUp).isEmpty();

        source.failsToGiveUp = false;
        source.movesAway = true;
        drain();
        assertThat(source.givenUp).isEmpty();
        clock.advance(Duration.ofSeconds(10));
        drain();
        assertThat(source.givenUp).containsExactly("a1 REJECTED bad");
        assertThat(source.events()).isEmpty();
    }

    @Test
    void givesUpAWholeKeyAndReplaysItInOrder() {
        reject("a1");
        source.add(event("a1", "a", 1), event("a2", "a", 2), event("b1", "b", 1));
        Relay relay = relay(store).onExhausted(OnExhausted.DEAD_LETTER_KEY).build();
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 1, 2, true));
        source.add(event("a3", "a", 3));
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(0, 0, 1, true));
        assertThat(deadReasons()).containsExactly(DeadReason.REJECTED, DeadReason.KEY_BURIED, DeadReason.KEY_BURIED);

        destination.answer(message -> delivered());
        store.deadLetters().requestRetry(DeadLetterFilter.all().withKey("a"), 10, "operator");
        relay.drainOnce();
        assertThat(deliveredOf("a")).containsExactly("a1", "a2", "a3");
    }

    @Test
    void blocksAKeyUntilAnOperatorUnblocksIt() {
        reject("a1");
        source.add(event("a1", "a", 1), event("a2", "a", 2), event("b1", "b", 1));
        Relay relay = relay(store).onExhausted(OnExhausted.BLOCK_KEY).build();
        relay.drainOnce();
        clock.advance(Duration.ofDays(1));
        relay.drainOnce();
        assertThat(deliveredOf("a")).isEmpty();

        destination.answer(message -> delivered());
        assertThat(store.held().unblock(Optional.of("b"), "operator")).isZero();
        assertThat(store.held().unblock(Optional.of("a"), "operator")).isOne();
        relay.drainOnce();
        assertThat(deliveredOf("a")).containsExactly("a1", "a2");
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
    void givesUpAnItemThatIsNoMessageAndGoesOn() {
        SourceOutboxStore<Event> picky = SourceOutboxStore.builder(source, Event::id, event -> {
                    if (event.name().equals("broken")) {
                        throw new IllegalStateException("no such type");
                    }
                    return event.name().equals("later")
                            ? OutboxMessage.builder("t")
                                    .type("t")
                                    .deliverAfter(LONG)
                                    .build()
                            : event.toMessage();
                })
                .limits(MessageLimits.defaults().withMaxHeaderBytes(1))
                .build();
        source.add(event("broken", "a", 1), event("later", "a", 2), event("good", "a", 3));

        assertThat(relay(picky).build().drainOnce()).isEqualTo(new DrainReport(1, 0, 2, true));
        assertThat(source.givenUp)
                .containsExactly(
                        "broken UNREADABLE java.lang.IllegalStateException: no such type",
                        "later UNREADABLE Invalid message: toMessage gave a due time or a dedup key;"
                                + " a source decides itself what it returns, and when");
        assertThat(picky.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "operator"))
                .isZero();
    }

    @Test
    void givesUpAnItemWhoseMessageIsTooLarge() {
        SourceOutboxStore<Event> small = SourceOutboxStore.builder(
                        source,
                        Event::id,
                        event -> OutboxMessage.builder("t")
                                .type("t")
                                .payload(new byte[11])
                                .build())
                .limits(MessageLimits.defaults().withMaxPayloadBytes(10))
                .build();
        source.add(event("large", "a", 1));
        relay(small).build().drainOnce();

        assertThat(source.givenUp).singleElement().asString().contains("payload is 11 bytes long, the limit is 10");
    }

    @Test
    void sendsTheIdAndKeyThatTheFunctionsGive() {
        SourceOutboxStore<Event> keyed = SourceOutboxStore.builder(source, Event::id, Event::toMessage)
                .key(event -> Optional.of("key of " + event.name()))
                .build();
        source.add(event("a1", "a", 1));
        relay(keyed).build().drainOnce();

        assertThat(destination.delivered()).singleElement().satisfies(message -> {
            assertThat(message.id()).isEqualTo(MessageId.fromName("a1"));
            assertThat(message.key()).contains("key of a1");
        });
    }

    @Test
    void stopsWithAClearErrorWhenAnItemHasNoId() {
        SourceOutboxStore<Event> nameless = SourceOutboxStore.builder(source, (Event event) -> null, Event::toMessage)
                .build();
        source.add(event("a1", "a", 1));
        List<String> problems = new ArrayList<>();
        relay(nameless).listener(problems(problems)).build().drainOnce();

        assertThat(problems)
                .containsExactly(
                        "fetch: The id function of source failed; every item needs an id that is always the same");
        assertThat(destination.sent()).isEmpty();
    }

    @Test
    void stopsWithAClearErrorWhenTheSourceReturnsNulls() {
        List<String> problems = new ArrayList<>();
        source.add((Event) null);
        relay(store).listener(problems(problems)).build().drainOnce();

        assertThat(problems)
                .containsExactly("fetch: The source events returned null among its items; return items only");
    }

    @Test
    void reportsAFailingSourceAndAsksAgain() throws Exception {
        source.failsToFetch = true;
        source.add(event("a1", "a", 1));
        CountDownLatch failures = new CountDownLatch(3);
        try (Relay relay = relay(store)
                .maxPollInterval(Duration.ofMillis(5))
                .listener(new RelayListener() {
                    @Override
                    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
                        failures.countDown();
                    }
                })
                .build()) {
            relay.start();
            assertThat(failures.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(destination.sent()).isEmpty();

            source.failsToFetch = false;
            destination.awaitDelivered(1, LONG);
        }
    }

    @Test
    void sendsNothingTwiceWhileTheSourceCannotAcknowledge() {
        source.failsToAcknowledge = true;
        source.add(event("a1", "a", 1));
        Relay relay = relay(store).closeTimeout(Duration.ofMillis(300)).build();
        assertThat(relay.drainOnce().isComplete()).isFalse();

        assertThat(destination.sent()).hasSize(1);
        assertThat(source.events()).hasSize(1);
    }

    @Test
    void sendsAnItemOnceHoweverOftenItIsFetched() throws Exception {
        destination.hold();
        IntStream.range(0, 100).forEach(i -> source.add(event("e" + i, "k" + i, 1)));
        try (Relay relay = relay(store).maxPollInterval(Duration.ofMillis(5)).build()) {
            relay.start();
            destination.awaitSent(100, LONG);
            int fetches = source.limits.size();
            await(() -> source.limits.size() > fetches + 5);
            destination.release();
            await(() -> source.events().isEmpty());
        }
        assertThat(destination.sent()).hasSize(100);
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
            relay.start();
            source.add(event("a1", "a", 1));
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
        assertThatThrownBy(() -> SourceOutboxStore.builder(null, Event::id, Event::toMessage))
                .hasMessage("source");
        assertThatThrownBy(() -> SourceOutboxStore.builder(source, null, Event::toMessage))
                .hasMessage("id");
        assertThatThrownBy(() -> SourceOutboxStore.builder(source, Event::id, null))
                .hasMessage("toMessage");
        assertThatThrownBy(() -> store(builder -> builder.sequence(null))).hasMessage("sequence");
        assertThatThrownBy(() -> MessageId.fromName(null)).isInstanceOf(InvalidMessageException.class);
    }

    private SourceOutboxStore<Event> store(UnaryOperator<SourceStoreBuilder<Event>> options) {
        return options.apply(SourceOutboxStore.builder(source, Event::id, Event::toMessage)
                        .name("events")
                        .sequence(Event::sequence)
                        .clocks(clock, clock::nanoTime))
                .build();
    }

    private RelayBuilder relay(SourceOutboxStore<Event> over) {
        return Relay.builder(over, destination)
                .backoff(Backoff.constant(Duration.ofSeconds(1)))
                .housekeepingInterval(Duration.ofMillis(10));
    }

    private DrainReport drain() {
        return relay(store).build().drainOnce();
    }

    private DestinationRouter byTopic(RecordingDestination mails) {
        return new DestinationRouter() {
            @Override
            public Destination route(OutboxMessage message) {
                return message.topic().equals("mails") ? mails : destination;
            }

            @Override
            public Collection<Destination> destinations() {
                return List.of(destination, mails);
            }
        };
    }

    private void reject(String type) {
        destination.answer(message -> message.type().equals(type) ? DeliveryResult.reject("bad") : delivered());
    }

    private static DeliveryResult delivered() {
        return DeliveryResult.DELIVERED;
    }

    private static RelayListener problems(List<String> problems) {
        return new RelayListener() {
            @Override
            public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
                problems.add(operation + ": " + failure.getMessage());
            }
        };
    }

    private List<DeadReason> deadReasons() {
        return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10).stream()
                .map(DeadLetter::reason)
                .toList();
    }

    private List<String> deliveredOf(String key) {
        return destination.delivered().stream()
                .filter(message -> message.key().equals(Optional.of(key)))
                .map(OutboxMessage::type)
                .toList();
    }

    private static List<String> delivered(RecordingDestination destination) {
        return destination.delivered().stream().map(OutboxMessage::type).toList();
    }

    private static Event event(String name, String key, long sequence) {
        return new Event(name, key, sequence);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
