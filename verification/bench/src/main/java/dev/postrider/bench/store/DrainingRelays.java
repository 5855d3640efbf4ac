package dev.postrider.bench.store;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.bench.measure.Round;
import dev.postrider.relay.Relay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Several relays of one outbox in this process, which send to nowhere. Close it. Not thread-safe. */
public final class DrainingRelays implements AutoCloseable {

    private final CountingDestination nowhere = new CountingDestination();
    private final List<Relay> relays = new ArrayList<>();
    private final BenchOutbox outbox;
    private final DrainTimer timer;
    private final SettledCount count;

    private DrainingRelays(BenchOutbox outbox, long messages) {
        this.outbox = outbox;
        this.timer = new DrainTimer(messages);
        this.count = new SettledCount(timer);
    }

    /** Starts {@code count} relays, for {@code messages} messages that are still to come. */
    public static DrainingRelays start(BenchOutbox outbox, int count, long messages) {
        DrainingRelays started = new DrainingRelays(outbox, messages);
        while (started.relays.size() < count) {
            Relay relay = Relay.builder(outbox.store(), started.nowhere)
                    .listener(started.count)
                    .build();
            started.relays.add(relay);
            relay.start();
        }
        return started;
    }

    /** Returns when every relay owns its share of the lanes. */
    public void awaitBalance() throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!isBalanced()) {
            if (System.nanoTime() > end) {
                throw new BenchException("The relays have not shared the lanes in two minutes");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private boolean isBalanced() throws Exception {
        String lanes = outbox.table("_lane");
        long owners = outbox.database().number("SELECT count(DISTINCT owner) FROM " + lanes);
        long free = outbox.database().number("SELECT count(*) FROM %s WHERE owner IS NULL".formatted(lanes));
        long largest = outbox.database()
                .number("SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM %s GROUP BY owner) t"
                        .formatted(lanes));
        long all = outbox.database().number("SELECT count(*) FROM " + lanes);
        return free == 0 && owners == relays.size() && largest <= (all + owners - 1) / owners;
    }

    /** Returns when all is settled. */
    public Round await() throws InterruptedException {
        count.await();
        return timer.round(nowhere.count());
    }

    @Override
    public void close() {
        relays.forEach(Relay::close);
    }
}
