package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.broker.BareMessage;
import dev.postrider.bench.broker.BenchBroker;
import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.RelayDrain;
import dev.postrider.spi.Destination;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A backlog to a real broker, against the broker's own client that sends the same bytes from memory. */
final class BrokerScenario implements Scenario {

    private static final String FENCED = "-fenced";

    private final String name;

    /** @param name that of a broker; {@code kafka-fenced}: by transactions of each lane */
    BrokerScenario(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        String how = name.endsWith(FENCED) ? " in a transaction of each lane" : "";
        return "a backlog to %s%s, against its own client with the same bytes".formatted(brokerName(), how);
    }

    @Override
    public Size size() {
        return new Size(100_000, 1024, 5);
    }

    @Override
    public Size quickSize() {
        return new Size(50_000, 1024, 10);
    }

    @Override
    public Optional<String> broker() {
        return Optional.of(brokerName());
    }

    private String brokerName() {
        return name.replace(FENCED, "");
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        String uri = context.brokerUri().orElseThrow();
        try (BenchOutbox outbox = context.openOutbox();
                BenchBroker broker = BenchBroker.open(uri, name.endsWith(FENCED))) {
            return new Contest(context)
                    .subject("bare-client", messages -> bareClient(context, broker, messages))
                    .subject("postrider", messages -> relay(context, outbox, broker, messages))
                    .run("postrider", "bare-client");
        }
    }

    private static Round bareClient(BenchContext context, BenchBroker broker, int count) throws Exception {
        List<BareMessage> messages = BareMessage.list(count, context.payload());
        DrainTimer timer = new DrainTimer(count);
        broker.send(messages, timer);
        return counted(broker, timer);
    }

    private static Round relay(BenchContext context, BenchOutbox outbox, BenchBroker broker, int messages)
            throws Exception {
        outbox.seed(messages, context.payload());
        try (Destination destination = broker.destination()) {
            DrainTimer timer = RelayDrain.drain(outbox.store(), destination, messages, UnaryOperator.identity());
            outbox.requireEmpty();
            return counted(broker, timer);
        }
    }

    private static Round counted(BenchBroker broker, DrainTimer timer) throws Exception {
        Round round = timer.round(broker.count());
        broker.clear();
        return round;
    }
}
