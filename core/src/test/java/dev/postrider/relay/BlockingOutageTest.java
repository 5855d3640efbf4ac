package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryFailedException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.InMemoryOutboxStore;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A destination of the user's own code, and what it calls is away: nothing is given up, and all of it arrives afterwards. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockingOutageTest {

    private static final int MESSAGES = 20;

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final Outbox outbox = Outbox.withDefaults(store);
    private final AtomicInteger calls = new AtomicInteger();
    private final List<String> arrived = Collections.synchronizedList(new ArrayList<>());
    private volatile Exception failure;
    private volatile int status;

    static Stream<Exception> outages() {
        return Stream.of(
                new ConnectException("Connection refused"),
                new HttpTimeoutException("request timed out"),
                new DeliveryFailedException(DeliveryResult.outage("maintenance")),
                new IllegalStateException("503 Service Unavailable"));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void givesNothingUpHoweverLongItLasts(Exception outage) {
        failure = outage;
        enqueue(IntStream.range(0, MESSAGES).mapToObj(i -> message("key-" + i)).toList());
        try (Destination destination = Destination.blocking("billing", this::send);
                Relay relay = quick(destination)) {
            relay.start();
            // More than enough for all attempts of all messages, if they counted.
            await(() -> calls.get() > 15 * MESSAGES);
            failure = null;

            await(() -> arrived.size() == MESSAGES);
            await(() -> outbox.stats().undelivered() == 0 && outbox.stats().held() == 0);
        }
        assertThat(outbox.stats().dead()).isZero();
        assertThat(arrived).doesNotHaveDuplicates();
    }

    @Test
    void oneKeyThatNeverGetsThroughStopsNoOther() {
        enqueue(Stream.of("gone", "a", "b", "c", "d")
                .map(BlockingOutageTest::message)
                .toList());
        try (Destination destination = Destination.blocking("webhooks", this::sendUnlessGone);
                Relay relay = quick(destination)) {
            relay.start();
            await(() -> arrived.size() == 4);
            for (int i = 0; i < 100; i++) {
                enqueue(List.of(message("later-" + i)));
            }
            await(() -> arrived.size() == 104);
        }
    }

    /** What stands between "snippet" and "end" stands in docs/guides/failure-handling.md as well; SnippetsTest compares. */
    @ParameterizedTest
    @ValueSource(ints = {200, 422})
    void codeThatKnowsWhatHappenedSaysSo(int answer) {
        status = answer;
        // snippet: say-outage
        Destination billing = Destination.blocking("billing", message -> {
            int status = post(message);
            if (status == 503) {
                throw new DeliveryFailedException(DeliveryResult.outage("billing is in maintenance"));
            } else if (status == 422) {
                throw new DeliveryFailedException(DeliveryResult.reject("billing does not understand it"));
            }
        });
        // end
        enqueue(List.of(message("a")));
        try (Relay relay = quick(billing)) {
            assertThat(relay.drainOnce())
                    .isEqualTo(
                            new DrainReport(answer == 200 ? 1 : 0, answer == 200 ? 0 : 1, answer == 200 ? 0 : 1, true));
        }
        billing.close();
    }

    private int post(OutboxMessage message) {
        arrived.add(message.key().orElseThrow());
        return status;
    }

    private void sendUnlessGone(OutboxMessage message) throws Exception {
        if (message.key().orElseThrow().equals("gone")) {
            throw new ConnectException("Connection refused");
        }
        arrived.add(message.key().orElseThrow());
    }

    private void send(OutboxMessage message) throws Exception {
        calls.incrementAndGet();
        Exception current = failure;
        if (current != null) {
            throw current;
        }
        arrived.add(message.key().orElseThrow());
    }

    private Relay quick(Destination destination) {
        return Relay.builder(store, destination)
                .backoff(Backoff.constant(Duration.ofMillis(1)))
                .outageBackoff(Backoff.constant(Duration.ofMillis(1)))
                .build();
    }

    private void enqueue(List<OutboxMessage> messages) {
        outbox.inTransaction(store.dataSource(), tx -> messages.forEach(tx::enqueue));
    }

    private static OutboxMessage message(String key) {
        return OutboxMessage.builder("bills").key(key).type("t").build();
    }

    private static void await(BooleanSupplier condition) {
        long giveUpAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(giveUpAt);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }
}
