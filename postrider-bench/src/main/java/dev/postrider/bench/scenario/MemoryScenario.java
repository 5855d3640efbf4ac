package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.service.database.DatabaseKind;
import java.util.List;

/** A relay in a process of its own with a heap of 128 MB drains a backlog that is much larger. */
final class MemoryScenario implements Scenario {

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String description() {
        return "two million messages of 1 KB through a relay with a heap of " + SmallHeap.MEGABYTES + " MB";
    }

    @Override
    public Size size() {
        return new Size(2_000_000, 1_024, 1);
    }

    @Override
    public Size quickSize() {
        return new Size(200_000, 1_024, 1);
    }

    /** A database inside this process cannot be reached from another. */
    @Override
    public boolean runsOn(DatabaseKind kind) {
        return kind != DatabaseKind.H2;
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox()) {
            context.progress("inserting " + context.size().messages() + " messages");
            outbox.seed(context.size().messages(), context.payload());
            context.progress("draining in " + SmallHeap.MEGABYTES + " MB");
            Measurement drained =
                    context.watched(() -> SmallHeap.drain(outbox, context.size().messages()));
            outbox.requireEmpty();
            return List.of(drained);
        }
    }
}
