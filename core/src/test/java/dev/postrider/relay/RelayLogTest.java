package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** What a whole relay writes to the log, down to trace. */
@Timeout(60)
class RelayLogTest {

    private static final Logger POSTRIDER = (Logger) LoggerFactory.getLogger("dev.postrider");
    private static final Duration SHORT = Duration.ofMillis(10);

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final RecordingDestination broker = new RecordingDestination("broker");
    private final Captured captured = new Captured();

    @BeforeEach
    void capture() {
        captured.start();
        POSTRIDER.addAppender(captured);
        POSTRIDER.setLevel(Level.TRACE);
        POSTRIDER.setAdditive(false);
    }

    @AfterEach
    void release() {
        POSTRIDER.detachAppender(captured);
        POSTRIDER.setLevel(null);
        POSTRIDER.setAdditive(true);
    }

    @Test
    void anIdleRelayLogsNothing() throws InterruptedException {
        PollCount polls = new PollCount();
        try (Relay relay = relay().listener(polls).build()) {
            relay.start();
            while (relay.ownedLanes().size() < 4) {
                polls.await(1);
            }
            polls.await(10);
            captured.lines.clear();

            polls.await(100);

            assertThat(captured.linesOf(relay.id())).isEmpty();
        }
    }

    @Test
    void tellsOfAllLanesInOneLine() throws InterruptedException {
        CountDownLatch balanced = new CountDownLatch(1);
        RelayListener listener = new RelayListener() {
            @Override
            public void lanesBalanced(int owned, int all) {
                balanced.countDown();
            }
        };
        Relay relay = relay().listener(listener).build();
        try (relay) {
            relay.start();
            assertThat(balanced.await(30, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(captured.linesOf(relay.id()))
                .filteredOn(line -> line.getLevel().equals(Level.INFO))
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("The relay is started", "This relay owns 4 of 4 lanes", "The relay is closed");
    }

    @Test
    void everyLineAboutAMessageNamesLaneMessageAttemptAndRelay() {
        OutboxMessage message = OutboxMessage.builder("t").key("k").type("x").build();
        broker.answerNext(DeliveryResult.retry("busy"));
        Outbox.withDefaults(store).inTransaction(store.dataSource(), tx -> tx.enqueue(message));
        Relay relay = relay().build();
        relay.start();
        broker.awaitDelivered(1, Duration.ofSeconds(10));
        relay.close();

        List<ILoggingEvent> aboutIt = captured.lines.stream()
                .filter(line -> line.getFormattedMessage().contains(message.id().toString()))
                .toList();
        assertThat(aboutIt.stream().map(ILoggingEvent::getFormattedMessage))
                .anyMatch(text -> text.startsWith("Attempt 1 to deliver"))
                .anyMatch(text -> text.startsWith("Delivered"));
        assertThat(aboutIt)
                .allSatisfy(line -> assertThat(line.getKeyValuePairs())
                        .contains(new KeyValuePair("relay", relay.id()), new KeyValuePair("messageId", message.id()))
                        .extracting(pair -> pair.key)
                        .contains("lane", "attempt", "batch"));
        List<Object> fetched = captured.lines.stream()
                .filter(line -> line.getFormattedMessage().startsWith("Fetched 1 row"))
                .map(RelayLogTest::batch)
                .toList();
        assertThat(fetched).containsExactly(batch(aboutIt.get(0)));
    }

    private static Object batch(ILoggingEvent line) {
        return line.getKeyValuePairs().stream()
                .filter(pair -> pair.key.equals("batch"))
                .findFirst()
                .orElseThrow()
                .value;
    }

    private RelayBuilder relay() {
        return Relay.builder(store, broker)
                .minPollInterval(Duration.ofMillis(1))
                .maxPollInterval(Duration.ofMillis(1))
                .housekeepingInterval(SHORT)
                .sweepInterval(SHORT)
                .lease(Duration.ofSeconds(2))
                .backoff(Backoff.constant(Duration.ofMillis(1)));
    }

    private static final class PollCount implements RelayListener {

        private volatile CountDownLatch remaining = new CountDownLatch(0);

        @Override
        public void fetched(long batch, int rows, Duration took) {
            remaining.countDown();
        }

        void await(int polls) throws InterruptedException {
            remaining = new CountDownLatch(polls);
            assertThat(remaining.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static final class Captured extends AppenderBase<ILoggingEvent> {

        private final Queue<ILoggingEvent> lines = new ConcurrentLinkedQueue<>();

        @Override
        protected void append(ILoggingEvent line) {
            lines.add(line);
        }

        /** Without what earlier tests counted and log only now, when their intervals end. */
        List<ILoggingEvent> linesOf(String relay) {
            return lines.stream()
                    .filter(line -> !line.getFormattedMessage().contains(" more like it in "))
                    .filter(line -> line.getKeyValuePairs() == null
                            || line.getKeyValuePairs().stream()
                                    .allMatch(pair -> !pair.key.equals("relay") || relay.equals(pair.value)))
                    .toList();
        }
    }
}
