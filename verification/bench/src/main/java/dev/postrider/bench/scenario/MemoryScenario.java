package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.service.database.DatabaseKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** A relay in a process of its own with a heap of 128 MB drains a backlog that is much larger. */
final class MemoryScenario implements Scenario {

    private static final int SEEDED_AT_ONCE = 20_000;

    @Override
    public Summary summary() {
        return new Summary(
                "memory",
                "two million messages of 1 KB through a relay with a heap of " + SmallHeap.MEGABYTES + " MB",
                new Size(2_000_000, 1_024, 1),
                new Size(300_000, 1_024, 1));
    }

    /** A database inside this process cannot be reached from another. */
    @Override
    public boolean runsOn(DatabaseKind kind) {
        return kind != DatabaseKind.H2;
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox()) {
            int messages = seed(context, outbox);
            context.progress("draining in " + SmallHeap.MEGABYTES + " MB");
            Measurement drained = context.watched(() -> SmallHeap.drain(outbox, messages));
            outbox.requireEmpty();
            context.pace().did(messages);
            return List.of(drained);
        }
    }

    /** All, or as many as there is time for when three quarters of it are left for draining them; returns how many. */
    private static int seed(BenchContext context, BenchOutbox outbox) throws SQLException {
        int wanted = context.size().messages();
        context.progress("inserting " + wanted + " messages");
        Duration forDraining = context.pace().left().multipliedBy(3).dividedBy(4);
        int seeded = 0;
        while (seeded < wanted && (seeded == 0 || context.pace().left().compareTo(forDraining) > 0)) {
            int some = Math.min(SEEDED_AT_ONCE, wanted - seeded);
            outbox.seed(some, context.payload());
            seeded += some;
        }
        return seeded;
    }
}
