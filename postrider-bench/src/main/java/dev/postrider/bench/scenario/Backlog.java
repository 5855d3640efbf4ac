package dev.postrider.bench.scenario;

import dev.postrider.bench.measure.Round;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.LoopDrain;
import dev.postrider.bench.store.RelayDrain;
import dev.postrider.relay.RelayBuilder;
import java.util.function.UnaryOperator;

/**
 * Messages that are inserted anew for each turn, and drained.
 *
 * @param keys how many keys they have
 */
record Backlog(BenchOutbox outbox, int messages, byte[] payload, int keys) {

    Backlog(BenchOutbox outbox, int messages, byte[] payload) {
        this(outbox, messages, payload, BenchOutbox.KEYS);
    }

    Round byLoop() throws Exception {
        outbox.seed(messages, payload, keys);
        Round round = LoopDrain.drain(outbox, messages);
        outbox.requireEmpty();
        return round;
    }

    Round byRelay() throws Exception {
        return byRelay(UnaryOperator.identity());
    }

    Round byRelay(UnaryOperator<RelayBuilder> options) throws Exception {
        outbox.seed(messages, payload, keys);
        Round round = RelayDrain.drain(outbox.store(), messages, options);
        outbox.requireEmpty();
        return round;
    }
}
