package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.h2.jdbcx.JdbcConnectionPool;

/** A real relay over an outbox in H2, a thread that writes to it all the time, and a count of what the relay saw. */
final class RelayUnderLoad implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
    private final OutboxStore store =
            H2OutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build();
    private final Outbox outbox = Outbox.withDefaults(store);
    private final List<OutboxMessage> committed = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger outages = new AtomicInteger();
    private final Relay relay;
    private final Thread writer;
    private volatile boolean isWriting = true;

    /** Writes batches of whatever the function makes of a growing number. */
    RelayUnderLoad(DestinationRouter router, IntFunction<OutboxMessage> messages) {
        this.relay = Relay.builder(store, router).listener(new Counter()).build();
        this.writer = new Thread(() -> write(messages), "writer");
        relay.start();
        writer.start();
    }

    /** Twenty keys, each with messages in a row. */
    static IntFunction<OutboxMessage> ordersFor(String topic) {
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
            outbox.inTransaction(pool, tx -> tx.enqueue(batch.toArray(OutboxMessage[]::new)));
            committed.addAll(batch);
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    int written() {
        return committed.size();
    }

    int outages() {
        return outages.get();
    }

    void awaitWritten(int more) {
        int wanted = written() + more;
        await("written", () -> written() >= wanted);
    }

    void awaitOutage() {
        int before = outages();
        await("an outage", () -> outages() > before);
    }

    /** Ends the load and returns all that was committed, in order, once the outbox is empty. */
    List<OutboxMessage> drain() throws InterruptedException {
        isWriting = false;
        writer.join();
        await(
                "an empty outbox",
                () -> store.stats().undelivered() == 0 && store.stats().held() == 0);
        return List.copyOf(committed);
    }

    /** No attempt was counted and nothing was given up. */
    void assertNoMessageWasBlamed() {
        assertThat(failures).isEmpty();
        assertThat(store.stats().dead()).isZero();
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end)
                    .as("waited " + PATIENCE + " for " + what)
                    .isNegative();
            pause();
        }
    }

    @Override
    public void close() {
        isWriting = false;
        relay.close();
        pool.dispose();
    }

    private final class Counter implements RelayListener {

        @Override
        public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
            failures.add(failure.toString());
        }

        @Override
        public void outage(String destination, String reason, Duration retryIn) {
            outages.incrementAndGet();
        }
    }
}
