package dev.postrider.bench.scenario;

import dev.postrider.bench.store.BenchOutbox;
import java.util.ArrayList;
import java.util.List;

/** Several outboxes that are closed together. Not thread-safe. */
final class OpenOutboxes implements AutoCloseable {

    private final List<BenchOutbox> outboxes = new ArrayList<>();

    BenchOutbox add(BenchOutbox outbox) {
        outboxes.add(outbox);
        return outbox;
    }

    @Override
    public void close() {
        outboxes.forEach(BenchOutbox::close);
    }
}
