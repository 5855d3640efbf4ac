package dev.postrider.spi.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.ReceiverListener;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeliveryQueueTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final TestSettlement settlement = new TestSettlement();
    private final DeliveryQueue<String> queue =
            new DeliveryQueue<>("test", 2, settlement, ReceiverListener.NONE, new Timer("test"));
    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();

    DeliveryQueueTest() {
        queue.start(deliveries::add);
    }

    @AfterEach
    void close() {
        queue.close();
    }

    private static ReceivedEvent event(String type) {
        return new ReceivedEvent(OutboxMessage.builder("orders").type(type).build());
    }

    private void add(String key, String type) {
        add(key, type, Duration.ZERO);
    }

    private void add(String key, String type, Duration pause) {
        assertThat(queue.add(type, event(type), Optional.of(key), 0, pause)).isTrue();
    }

    private Delivery next(String type) throws InterruptedException {
        Delivery next = deliveries.poll(30, TimeUnit.SECONDS);
        assertThat(next).as("a delivery").isNotNull();
        assertThat(next.message().type()).isEqualTo(type);
        return next;
    }

    @Test
    void handsOverTheMessagesOfAKeyOneAfterTheOther() throws Exception {
        add("a", "a1");
        add("a", "a2");
        add("b", "b1");

        Delivery first = next("a1");
        next("b1").acknowledge();
        assertThat(deliveries).isEmpty();
        first.acknowledge();

        next("a2").acknowledge();
        assertThat(settlement.acknowledged).containsExactly("b1", "a1", "a2");
        assertThat(queue.unsettled()).isEmpty();
    }

    @Test
    void handsOverNoMoreThanThePrefetch() throws Exception {
        List.of("a", "b", "c").forEach(key -> add(key, key));

        Delivery first = next("a");
        next("b");
        assertThat(deliveries).isEmpty();
        first.acknowledge();

        next("c");
    }

    @Test
    void holdsBackTheKeyOfAMessageThatIsTriedAgainInItsPlace() throws Exception {
        settlement.pause = Optional.of(Duration.ofMillis(1));
        add("a", "a1");
        add("a", "a2");

        next("a1").retryLater("not yet");
        Delivery again = next("a1");

        assertThat(again.attempt()).isEqualTo(2);
        assertThat(deliveries).isEmpty();
        again.acknowledge();
        next("a2");
    }

    @Test
    void countsOnlyTheFirstSettlementOfAnAttempt() throws Exception {
        settlement.pause = Optional.of(Duration.ZERO);
        add("a", "a1");

        Delivery first = next("a1");
        first.retryLater("not yet");
        Delivery second = next("a1");
        first.acknowledge();
        first.park("no");

        assertThat(settlement.acknowledged).isEmpty();
        assertThat(settlement.parked).isEmpty();
        second.acknowledge();
        assertThat(settlement.acknowledged).containsExactly("a1");
    }

    @Test
    void keepsThePauseOfAMessageThatWaitedBehindAnotherOfItsKey() throws Exception {
        add("a", "a1");
        add("a", "a2", LONG);

        next("a1").acknowledge();

        add("b", "b1");
        next("b1");
        assertThat(deliveries).isEmpty();
    }

    @Test
    void handsOverAtOnceWhatHasPausedLongEnoughBehindAnotherOfItsKey() throws Exception {
        add("a", "a1");
        Delivery first = next("a1");
        add("a", "a2", Duration.ofMillis(1));
        add("b", "b1", Duration.ofMillis(2));
        next("b1").acknowledge();

        first.acknowledge();

        next("a2");
    }

    /** The broker brings a lost message again: to hand it over here as well would let two work on it at once. */
    @Test
    void forgetsWhatIsLostAndLetsItsKeyWaitForTheHandlerThatRuns() throws Exception {
        add("a", "a1");
        add("a", "a2");
        Delivery running = next("a1");
        settlement.lost.addAll(List.of("a1", "a2"));
        queue.forgetLost();
        add("a", "a1 again");

        assertThat(deliveries).isEmpty();
        running.retryLater("the connection is gone");

        next("a1 again").acknowledge();
        assertThat(queue.unsettled()).isEmpty();
    }

    @Test
    void takesBackWhatIsUnsettledInTheOrderOfItsArrival() throws Exception {
        List.of("a1", "a2", "a3").forEach(type -> add("a", type));
        Delivery first = next("a1");

        assertThat(queue.takeAll()).containsExactly("a1", "a2", "a3");

        first.acknowledge();
        assertThat(settlement.acknowledged).isEmpty();
        assertThat(queue.add("b1", event("b1"), 0)).isFalse();
    }

    /** A class of a metrics library that is missing is an Error, too. */
    @Test
    void goesOnWhenItsListenerThrowsAnError() throws Exception {
        ReceiverListener broken = new ReceiverListener() {
            @Override
            public void received(String receiver) {
                throw new NoClassDefFoundError("metrics");
            }

            @Override
            public void handled(String receiver, Duration time) {
                throw new NoClassDefFoundError("metrics");
            }
        };
        try (DeliveryQueue<String> listened = new DeliveryQueue<>("test", 1, settlement, broken, new Timer("test"))) {
            listened.start(deliveries::add);
            for (String type : List.of("a1", "a2")) {
                assertThat(listened.add(type, event(type), Optional.of("a"), 0, Duration.ZERO))
                        .isTrue();
            }

            next("a1").acknowledge();
            next("a2").acknowledge();

            assertThat(listened.unsettled()).isEmpty();
        }
    }

    /** Such as a user's own back-off that fails. */
    @Test
    void triesAgainHereWhatCannotBeRetriedOrParked() throws Exception {
        add("a", "a1");
        add("a", "a2");
        settlement.failures = 2;

        next("a1").retryLater("not yet");
        next("a1").park("never");
        Delivery again = next("a1");
        again.acknowledge();

        next("a2").acknowledge();
        assertThat(queue.unsettled()).isEmpty();
    }

    @Test
    void letsTheNextOfAKeyFollowWhenAnAcknowledgementFails() throws Exception {
        add("a", "a1");
        add("a", "a2");
        settlement.failures = 1;
        Delivery first = next("a1");

        assertThatThrownBy(first::acknowledge).isInstanceOf(IllegalStateException.class);

        next("a2").acknowledge();
        assertThat(queue.unsettled()).isEmpty();
    }

    /** The broker is being told; returned to the broker as well, the message would be handled twice. */
    @Test
    void doesNotTakeBackWhatIsBeingAcknowledged() throws Exception {
        add("a", "a1");
        add("a", "a2");
        List<String> taken = new ArrayList<>();
        settlement.onAcknowledge = () -> taken.addAll(queue.takeAll());

        next("a1").acknowledge();

        assertThat(settlement.acknowledged).containsExactly("a1");
        assertThat(taken).containsExactly("a2");
    }

    /** The timer would keep it for the whole pause, hours for a retry topic of Kafka, and its next delivery as well. */
    @Test
    void keepsNothingOfALostMessageThatPauses() throws Exception {
        Object key = new Object();
        WeakReference<Object> reference = new WeakReference<>(key);
        queue.add("a1", event("a1"), Optional.of(key), 0, LONG);
        key = null;
        settlement.lost.add("a1");
        queue.forgetLost();

        for (int i = 0; i < 50 && reference.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(reference.get()).isNull();
    }

    private static final class TestSettlement implements Settlement<String> {

        private final List<String> acknowledged = new ArrayList<>();
        private final List<String> parked = new ArrayList<>();
        private final Set<String> lost = new HashSet<>();
        private Optional<Duration> pause = Optional.of(LONG);
        private Runnable onAcknowledge = () -> {};
        private int failures;

        private void failIfWanted() {
            if (failures > 0) {
                failures--;
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public int maxAttempts() {
            return 3;
        }

        @Override
        public void acknowledge(Received<String> received) {
            failIfWanted();
            onAcknowledge.run();
            acknowledged.add(received.source());
        }

        @Override
        public Optional<Duration> retry(Received<String> received, String reason, Runnable done) {
            failIfWanted();
            return pause;
        }

        @Override
        public void park(Received<String> received, String reason, Runnable done) {
            failIfWanted();
            parked.add(received.source());
            done.run();
        }

        @Override
        public boolean isLost(String source) {
            return lost.contains(source);
        }
    }
}
