package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.broker.BareMessage;
import dev.postrider.bench.broker.BenchBroker;
import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.RelayDrain;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.Destination;
import java.util.function.UnaryOperator;

/**
 * Messages that go to a real broker, by a relay or by the broker's own client that sends the same bytes from memory.
 *
 * @param keys how many keys they have
 */
record BrokerBacklog(BenchContext context, BenchOutbox outbox, BenchBroker broker, int keys) {

    Round byBareClient(int messages) throws Exception {
        DrainTimer timer = new DrainTimer(messages);
        broker.send(BareMessage.list(messages, context.payload(), keys), timer);
        return counted(timer);
    }

    Round byRelay(int messages) throws Exception {
        return byRelay(messages, UnaryOperator.identity());
    }

    Round byRelay(int messages, UnaryOperator<RelayBuilder> options) throws Exception {
        outbox.seed(messages, context.payload(), keys);
        try (Destination destination = broker.destination()) {
            DrainTimer timer = RelayDrain.drain(outbox.store(), destination, messages, options);
            outbox.requireEmpty();
            return counted(timer);
        }
    }

    private Round counted(DrainTimer timer) throws Exception {
        Round round = timer.round(broker.count());
        broker.clear();
        return round;
    }
}
