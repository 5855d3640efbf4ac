package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import javax.sql.DataSource;

/**
 * A real relay, a thread that writes to its outbox all the time, and a count of what the relay saw: for tests that stop a broker
 * meanwhile. Its methods are for one thread.
 */
public final class RelayUnderLoad implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final OutboxStore store;
    private final DataSource dataSource;
    private final Outbox outbox;
    private final List<OutboxMessage> committed = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger outages = new AtomicInteger();
    private final Relay relay;
    private final Thread writer;
    private volatile boolean isWriting = true;

    /**
     * Starts the relay and the writing.
     *
     * @param dataSource where the store has its tables
     * @param messages what is written, made of a growing number
     */
    public RelayUnderLoad(
            OutboxStore store, DataSource dataSource, DestinationRouter router, IntFunction<OutboxMessage> messages) {
        this.store = store;
        this.dataSource = dataSource;
        this.outbox = Outbox.withDefaults(store);
        this.relay = Relay.builder(store, router).listener(new Counter()).build();
        this.writer = new Thread(() -> write(messages), "writer");
        relay.start();
        writer.start();
    }

    /**
     * How long a broker stays down in a test: 30 seconds, in which back-offs grow to their end and leases are renewed often. {@code
     * -Dpostrider.test.brokerDown=PT5S} saves time while developing.
     */
    public static Duration brokerDown() {
        return Duration.parse(System.getProperty("postrider.test.brokerDown", "PT30S"));
    }

    /** Twenty keys, each with messages in a row. */
    public static IntFunction<OutboxMessage> ordersFor(String topic) {
        return i -> OutboxMessage.builder(topic)
                .key("customer-" + i % 20)
                .type("com.example.OrderPlaced")
                .json("{\"number\": " + i + "}")
                .build();
    }

    private void write(IntFunction<OutboxMessage> messages) {
        for (int i = 0; isWriting; ) {
            List<OutboxMessage> batch = new ArrayList<>();
            for (int end = i + 10; i < end; i++) {
                batch.add(messages.apply(i));
            }
            outbox.inTransaction(dataSource, tx -> tx.enqueue(batch.toArray(OutboxMessage[]::new)));
            committed.addAll(batch);
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(30);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** How many messages are committed so far. */
    public int written() {
        return committed.size();
    }

    /** How many outages the relay has met. */
    public int outages() {
        return outages.get();
    }

    /** Waits until this many more messages are committed. */
    public void awaitWritten(int more) {
        int wanted = written() + more;
        await("written", () -> written() >= wanted);
    }

    /** Waits for the first outage, which may have begun already: the broker was stopped before. */
    public void awaitOutage() {
        await("an outage", () -> outages() > 0);
    }

    /** Ends the load and returns all that was committed, in order, once the outbox is empty. */
    public List<OutboxMessage> drain() throws InterruptedException {
        List<OutboxMessage> all = awaitAllButHeld();
        await("an empty outbox", () -> store.stats().undelivered() == 0);
        return all;
    }

    /** Ends the load and returns all that was committed, in order, once everything is delivered or held. */
    public List<OutboxMessage> awaitAllButHeld() throws InterruptedException {
        isWriting = false;
        writer.join();
        await("nothing but held messages", () -> {
            OutboxStats stats = store.stats();
            return stats.undelivered() == stats.held();
        });
        return List.copyOf(committed);
    }

    /** No attempt was counted and nothing was given up. */
    public void assertNoMessageWasBlamed() {
        assertThat(failures).isEmpty();
        assertThat(store.stats().dead()).isZero();
    }

    /** Waits for a condition, and fails when that takes too long. */
    public static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end)
                    .as("waited " + PATIENCE + " for " + what)
                    .isNegative();
            pause();
        }
    }

    /** Ends the load and the relay; the store is the caller's. */
    @Override
    public void close() {
        isWriting = false;
        relay.close();
    }

    private final class Counter implements RelayListener {

        @Override
        public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
            failures.add(failure.toString());
        }

        @Override
        public void dead(Attempt attempt, DeadReason reason, String error) {
            failures.add("dead: " + error);
        }

        @Override
        public void outage(String destination, String reason, Duration retryIn) {
            outages.incrementAndGet();
        }
    }
}
