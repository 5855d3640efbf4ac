package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.FaultInjector;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.StoreFixture.ForeignRow;
import dev.postrider.testkit.TestClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a listener is told, step by step under a test clock. */
class RelayEventsTest {

    private static final Duration BACKOFF = Duration.ofSeconds(5);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, clock);
    private final RecordingDestination broker = new RecordingDestination("broker");
    private final List<Event> events = new ArrayList<>();

    @Test
    void namesLaneMessageAndAttemptOfADelivery() {
        OutboxMessage message = commit("k").get(0);
        clock.advance(Duration.ofSeconds(2));
        step(relay());

        assertThat(of("delivered")).containsExactly(List.of(attempt(message, 1), Duration.ofSeconds(2), Duration.ZERO));
    }

    @Test
    void measuresASendUntilItEndedAndNotUntilTheWorkerTookNote() {
        commit("k");
        broker.hold();
        RelayCore relay = relay();
        step(relay);
        clock.advance(Duration.ofSeconds(2));
        broker.release();
        clock.advance(Duration.ofSeconds(1));
        step(relay);

        assertThat(of("delivered"))
                .singleElement()
                .satisfies(event -> assertThat(event).endsWith(Duration.ofSeconds(2), Duration.ofSeconds(2)));
    }

    @Test
    void countsTheAttemptsOfAFailingMessageAndTellsWhoWaitsBehindIt() {
        List<OutboxMessage> messages = commit("k", "k");
        broker.answerNext(DeliveryResult.retry("busy"));
        RelayCore relay = relay();
        step(relay);
        clock.advance(BACKOFF);
        step(relay);

        assertThat(of("failed"))
                .containsExactly(List.of(attempt(messages.get(0), 1), DeliveryResult.retry("busy"), Duration.ZERO));
        assertThat(of("held")).containsExactly(List.of(attempt(messages.get(0), 1), BACKOFF));
        assertThat(of("heldBehind")).containsExactly(List.of(attempt(messages.get(1), 0)));
        assertThat(of("delivered").stream().map(event -> event.get(0)))
                .containsExactly(attempt(messages.get(0), 2), attempt(messages.get(1), 1));
    }

    @Test
    void tellsWhyAMessageDied() {
        OutboxMessage message = commit("k").get(0);
        broker.answerNext(DeliveryResult.reject("too large"));
        step(relay());

        assertThat(of("dead")).containsExactly(List.of(attempt(message, 1), DeadReason.REJECTED, "too large"));
    }

    @Test
    void tellsOfAMessageThatBlocksItsKey() {
        OutboxMessage message = commit("k").get(0);
        broker.answerNext(DeliveryResult.reject("too large"));
        step(relay(builder().onExhausted(OnExhausted.BLOCK_KEY)));

        assertThat(of("blocked")).containsExactly(List.of(attempt(message, 1), "too large"));
        assertThat(of("dead")).isEmpty();
    }

    @Test
    void tellsOfAnAttemptThatAnOutageCutOffWithoutCallingItFailed() {
        OutboxMessage message = commit("k").get(0);
        broker.answerNext(DeliveryResult.outage("refused"));
        step(relay());

        assertThat(of("notReached"))
                .containsExactly(List.of(attempt(message, 1), DeliveryResult.outage("refused"), Duration.ZERO));
        assertThat(of("outage")).hasSize(1);
        assertThat(of("failed")).isEmpty();
    }

    @Test
    void namesTheLaneOfWhatLeadsNowhere() {
        OutboxMessage message = commit("k").get(0);
        step(relay(builder(new Nowhere())));

        assertThat(of("unroutable"))
                .containsExactly(List.of(lane(message), message.id(), "The router failed: " + Nowhere.FAILURE));
    }

    @Test
    void namesTheLaneOfARowThatIsNoMessage() {
        MessageId id = new MessageId(1, 2);
        store.insertForeign(new ForeignRow(3, id, "t", "k", "x", "no JSON", "text/plain", new byte[0]));
        step(relay());

        assertThat(of("unreadable"))
                .singleElement()
                .satisfies(event -> assertThat(event).startsWith(3, id));
    }

    @Test
    void tellsHowLongAFailedFetchTook() {
        commit("k");
        store.injectFaults(failing("scan.fetch", Duration.ofSeconds(3)));
        step(relay());

        assertThat(of("storeFailed"))
                .singleElement()
                .satisfies(event ->
                        assertThat(event).startsWith(StoreOperation.FETCH).endsWith(Duration.ofSeconds(3)));
        assertThat(of("fetched")).isEmpty();
    }

    @Test
    void tellsHowLongAFailedSettleTook() {
        commit("k");
        store.injectFaults(failing("settlements.delete", Duration.ofSeconds(3)));
        step(relay());

        assertThat(of("storeFailed"))
                .singleElement()
                .satisfies(event ->
                        assertThat(event).startsWith(StoreOperation.SETTLE).endsWith(Duration.ofSeconds(3)));
        assertThat(of("settled")).isEmpty();
    }

    @Test
    void tellsOfOutcomesThatTheFenceRefused() {
        OutboxMessage message = commit("k").get(0);
        broker.hold();
        broker.answerNext(DeliveryResult.retry("busy"));
        RelayCore relay = relay();
        step(relay);
        // A take raises the epoch, as another relay's would; the relay does not know.
        store.leases().take(lane(message), relay.context().owner(), Duration.ofSeconds(20));
        broker.release();
        step(relay);

        assertThat(of("settleRefused")).containsExactly(List.of(lane(message), 1, Duration.ZERO));
        assertThat(of("laneLost")).containsExactly(List.of(lane(message)));
        assertThat(of("storeFailed")).isEmpty();
    }

    @Test
    void tellsOfAFailingClassifierWithItsMessage() {
        OutboxMessage message = commit("k").get(0);
        broker.answerNext(DeliveryResult.retry("busy"));
        IllegalStateException broken = new IllegalStateException("broken");
        step(relay(builder().failureClassifier((failed, failure) -> {
            throw broken;
        })));

        assertThat(of("classifierFailed")).containsExactly(List.of(attempt(message, 1), broken));
        assertThat(of("failed")).hasSize(1);
    }

    private FaultInjector failing(String broken, Duration after) {
        return operation -> {
            if (!operation.equals(broken)) {
                return Fault.NONE;
            }
            clock.advance(after);
            return Fault.BEFORE;
        };
    }

    private List<OutboxMessage> commit(String... keys) {
        InMemoryTransaction transaction = store.begin();
        List<OutboxMessage> messages = Stream.of(keys)
                .map(key -> OutboxMessage.builder("t").key(key).type("x").build())
                .toList();
        transaction.enqueue(messages.toArray(OutboxMessage[]::new));
        transaction.commit();
        return messages;
    }

    private RelayBuilder builder() {
        return builder(DestinationRouter.to(broker));
    }

    private RelayBuilder builder(DestinationRouter router) {
        return new RelayBuilder(store, router)
                .workers(1)
                .backoff(Backoff.constant(BACKOFF))
                .nanoTime(clock::nanoTime);
    }

    private RelayCore relay() {
        return relay(builder());
    }

    private RelayCore relay(RelayBuilder builder) {
        RelayCore relay = builder.buildCore(recorder());
        for (int lane = 0; lane < store.laneCount(); lane++) {
            relay.keeper().step();
        }
        return relay;
    }

    private RelayListener recorder() {
        return (RelayListener) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RelayListener.class}, (proxy, event, arguments) -> {
                    events.add(new Event(
                            event.getName(),
                            Stream.of(arguments)
                                    .map(RelayEventsTest::comparable)
                                    .toList()));
                    return null;
                });
    }

    private static void step(RelayCore relay) {
        for (int i = 0; i < 5; i++) {
            relay.workers().get(0).step();
        }
    }

    private List<List<Object>> of(String name) {
        return events.stream()
                .filter(event -> event.name().equals(name))
                .map(Event::arguments)
                .toList();
    }

    private static Object comparable(Object argument) {
        if (argument instanceof Attempt attempt) {
            return new Tried(
                    attempt.destination(), attempt.lane(), attempt.message().id(), attempt.number());
        }
        return argument instanceof OutboxMessage message ? message.id() : argument;
    }

    private Tried attempt(OutboxMessage message, int number) {
        return new Tried("broker", lane(message), message.id(), number);
    }

    private int lane(OutboxMessage message) {
        return dev.postrider.message.Lane.of(message, store.laneCount());
    }

    /** An attempt with the id in place of the message. */
    private record Tried(String destination, int lane, MessageId id, int number) {}

    private record Event(String name, List<Object> arguments) {}

    /** A router that never finds a way. */
    private final class Nowhere implements DestinationRouter {

        private static final String FAILURE = "java.lang.IllegalStateException: no way";

        @Override
        public Destination route(OutboxMessage message) {
            throw new IllegalStateException("no way");
        }

        @Override
        public Set<Destination> destinations() {
            return Set.of(broker);
        }
    }
}
