package dev.postrider.bench.scenario;

import dev.postrider.bench.measure.Round;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.LoopDrain;
import dev.postrider.bench.store.RelayDrain;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.TraceContext;
import java.util.function.UnaryOperator;

/**
 * Messages that are inserted for each turn, and drained.
 *
 * @param keys how many keys they have
 */
record Backlog(BenchOutbox outbox, byte[] payload, int keys) {

    Backlog(BenchOutbox outbox, byte[] payload) {
        this(outbox, payload, BenchOutbox.KEYS);
    }

    Round byLoop(int messages) throws Exception {
        outbox.seed(messages, payload, keys);
        Round round = LoopDrain.drain(outbox, messages);
        outbox.requireEmpty();
        return round;
    }

    Round byRelay(int messages) throws Exception {
        return byRelay(messages, UnaryOperator.identity());
    }

    Round byRelay(int messages, UnaryOperator<RelayBuilder> options) throws Exception {
        outbox.seed(messages, payload, keys);
        Round round = RelayDrain.drain(outbox.store(), messages, options);
        outbox.requireEmpty();
        return round;
    }

    /** Messages that say where they were created, as a traced service writes them. */
    Round byTracedRelay(int messages, TraceContext tracing) throws Exception {
        outbox.seedTraced(messages, payload);
        Round round = RelayDrain.drain(outbox.store(), messages, relay -> relay.tracing(tracing));
        outbox.requireEmpty();
        return round;
    }
}
