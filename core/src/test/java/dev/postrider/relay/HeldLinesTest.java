package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Messages of one key for several destinations, some of them held. */
class HeldLinesTest {

    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(9);
    private static final Duration BACKOFF = Duration.ofSeconds(20);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
    private final SimulatedBroker broker = new SimulatedBroker(clock, DELIVERY_TIMEOUT);
    private RelayCore relay = relay(byTopic("mail", "paper"), 100);

    private RelayCore relay(DestinationRouter router, int batchSize) {
        return new RelayBuilder(store, router)
                .batchSize(batchSize)
                .lease(DELIVERY_TIMEOUT.multipliedBy(3))
                .deliveryTimeout(DELIVERY_TIMEOUT)
                .backoff(Backoff.constant(BACKOFF))
                .maxAttempts(3)
                .nanoTime(clock::nanoTime)
                .buildCore(new RelayListener() {});
    }

    private DestinationRouter byTopic(String mail, String paper) {
        return table(RoutingTable.byTopic(), mail, paper);
    }

    private DestinationRouter table(RoutingTable.Builder builder, String mail, String paper) {
        return builder.route("mail", broker.connect(mail)).otherwise(broker.connect(paper));
    }

    @Test
    void aKeyFlowsToOneDestinationWhileAnotherRetriesAMessageOfIt() {
        holdOneForMail();

        commit("paper: 2", "mail: 3", "paper: 4");
        deliverAll();
        assertThat(arrived()).containsExactly("paper: 2", "paper: 4");

        passBackoff();
        assertThat(arrived()).containsExactly("paper: 2", "paper: 4", "mail: 1", "mail: 3");
    }

    @Test
    void aKeyFlowsToOneDestinationWhileAnotherIsPausedWithAHeldMessageOfIt() {
        holdOneForMail();
        store.pauses().pause("mail", "ann");

        commit("paper: 2", "mail: 3");
        passBackoff();
        assertThat(arrived()).containsExactly("paper: 2");

        store.pauses().resume("mail", "ann");
        deliverAll();
        assertThat(arrived()).containsExactly("paper: 2", "mail: 1", "mail: 3");
    }

    @Test
    void heldMessagesFlowPastMoreThanABatchForADestinationThatIsDownAndThatAHeaderChose() {
        relay = relay(table(RoutingTable.byHeader("to"), "mail", "paper"), 2);
        for (int i = 0; i < 5; i++) {
            commitOfKey("key-" + i, "mail: " + i);
        }
        commitOfKey("key-9", "paper: 9");
        failAll();
        store.pauses().pause("mail", "ann");

        passBackoff();

        assertThat(arrived()).containsExactly("paper: 9");
    }

    @Test
    void keepsTheOrderOfWhatIsHeldForADestinationThatIsRenamed() {
        commit("mail: 1", "mail: 2");
        failAll();
        leave();

        relay = relay(byTopic("post", "paper"), 100);
        commit("mail: 3", "paper: 4");
        deliverAll();
        assertThat(arrived()).containsExactly("paper: 4");

        passBackoff();
        assertThat(arrived()).containsExactly("paper: 4", "mail: 1", "mail: 2", "mail: 3");
    }

    @Test
    void givesUpWhatIsHeldForADestinationThatIsGoneAndLeadsNowhere() {
        holdOneForMail();
        leave();

        relay = relay(
                RoutingTable.byTopic().route("paper", broker.connect("paper")).rejectOthers(), 100);
        commit("paper: 2");
        deliverAll();

        assertThat(arrived()).containsExactly("paper: 2");
        assertThat(store.stats().held()).isZero();
        assertThat(store.stats().dead()).isEqualTo(1);
    }

    @Test
    void aRetriedLetterGoesAheadOfWhatIsHeldForItsDestination() {
        commit("mail: 0");
        step();
        broker.end(0, DeliveryResult.reject("bad"), false);
        step();
        holdOneForMail();
        store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann");

        commit("paper: 2");
        deliverAll();
        passBackoff();

        assertThat(arrived())
                .containsSubsequence("mail: 0", "mail: 1")
                .contains("paper: 2")
                .hasSize(3);
    }

    @Test
    void doesNotAskForHeldMessagesAllTheTimeWhileAnotherOfTheirKeyIsInFlight() {
        commit("mail: 1");
        step();
        broker.end(0, DeliveryResult.reject("bad"), false);
        step();
        commit("mail: 2", "mail: 3");
        step();
        store.deadLetters().requestRetry(DeadLetterFilter.all(), 1, "ann");
        AtomicInteger reads = new AtomicInteger();
        store.injectFaults(operation -> {
            reads.addAndGet(operation.equals("held.fetchDue") ? 1 : 0);
            return Fault.NONE;
        });

        for (int i = 0; i < 300; i++) {
            clock.advance(Duration.ofMillis(10));
            step();
        }
        assertThat(reads).hasValueLessThan(20);

        broker.end(0, DeliveryResult.DELIVERED, true);
        deliverAllAtOnce();
        assertThat(arrived()).containsExactly("mail: 2", "mail: 1", "mail: 3");
    }

    private void holdOneForMail() {
        commit("mail: 1");
        failAll();
    }

    private void failAll() {
        // So that the next poll is due.
        clock.advance(Duration.ofSeconds(1));
        step();
        while (broker.outstanding() > 0) {
            broker.end(0, DeliveryResult.retry("later"), false);
            step();
        }
    }

    private void leave() {
        relay.leaveAll();
        relay.workers().forEach(LaneWorker::step);
        assertThat(relay.ownsNothing()).isTrue();
        store.leases().leave(relay.context().owner());
    }

    private void commit(String... texts) {
        for (String text : texts) {
            commitOfKey("k", text);
        }
    }

    private void commitOfKey(String key, String text) {
        InMemoryTransaction transaction = store.begin();
        String topic = text.substring(0, text.indexOf(':'));
        transaction.enqueue(OutboxMessage.builder(topic)
                .key(key)
                .header("to", topic)
                .type(text)
                .build());
        transaction.commit();
    }

    private List<String> arrived() {
        return broker.arrived().stream().map(OutboxMessage::type).toList();
    }

    private void step() {
        relay.keeper().step();
        relay.loopsWithoutKeeper().forEach(Loop::step);
    }

    /** For less than the back-off of a held message. */
    private void deliverAll() {
        for (int i = 0; i < 40; i++) {
            deliverAllAtOnce();
            clock.advance(Duration.ofMillis(100));
        }
    }

    private void passBackoff() {
        clock.advance(BACKOFF.minus(DELIVERY_TIMEOUT));
        for (int i = 0; i < 5; i++) {
            deliverAll();
        }
    }

    private void deliverAllAtOnce() {
        for (int i = 0; i < 5; i++) {
            step();
            while (broker.outstanding() > 0) {
                broker.end(0, DeliveryResult.DELIVERED, true);
            }
        }
    }
}
