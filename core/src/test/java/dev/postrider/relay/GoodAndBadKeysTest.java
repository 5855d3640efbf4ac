package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryFailedException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.DeliveryAssert;
import dev.postrider.testkit.InMemoryOutboxStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys that fail among keys that do not, in a relay with every option at its default. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GoodAndBadKeysTest {

    private static final int KEYS = 10;

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(16, Clock.systemUTC());
    private final Outbox outbox = Outbox.withDefaults(store);
    private final List<OutboxMessage> committed = new ArrayList<>();
    private final List<OutboxMessage> arrived = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean isRepaired;

    static Stream<Exception> failures() {
        return Stream.of(
                new IllegalStateException("cannot take this one"),
                new DeliveryFailedException(DeliveryResult.unavailable("inbox of a customer", "it is full")));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void goodKeysFlowWhileBadOnesWaitAndThoseFlowWhenTheyAreGood(Exception failure) {
        try (Destination destination = Destination.blocking("customers", message -> send(message, failure));
                Relay relay = Relay.withDefaults(store, destination)) {
            relay.start();
            for (int round = 0; round < 20; round++) {
                enqueueOneOfEachKey(round);
                int good = KEYS * (round + 1);
                await(() -> arrived.size() == good);
            }
            assertThat(arrived).noneMatch(GoodAndBadKeysTest::isBad);
            assertThat(outbox.stats().dead()).isZero();

            isRepaired = true;

            await(() -> outbox.stats().undelivered() == 0);
        }
        assertThat(outbox.stats().dead()).isZero();
        DeliveryAssert.assertThatDeliveries(arrived)
                .lackNothingOf(committed)
                .containNothingBut(committed)
                .keepTheOrderOf(committed);
    }

    private void send(OutboxMessage message, Exception failure) throws Exception {
        if (isBad(message) && !isRepaired) {
            throw failure;
        }
        arrived.add(message);
    }

    private static boolean isBad(OutboxMessage message) {
        return message.key().orElseThrow().startsWith("bad");
    }

    private void enqueueOneOfEachKey(int round) {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            messages.add(message("good-" + i, round));
            messages.add(message("bad-" + i, round));
        }
        outbox.inTransaction(store.dataSource(), tx -> messages.forEach(tx::enqueue));
        committed.addAll(messages);
    }

    private static OutboxMessage message(String key, int round) {
        return OutboxMessage.builder("notes").key(key).type("note-" + round).build();
    }

    private static void await(BooleanSupplier condition) {
        long giveUpAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(giveUpAt);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }
}
