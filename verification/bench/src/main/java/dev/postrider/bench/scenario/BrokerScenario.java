package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.broker.BenchBroker;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.store.BenchOutbox;
import java.util.List;

/** A backlog to a real broker, against the broker's own client that sends the same bytes from memory. */
final class BrokerScenario implements Scenario {

    private static final int PARTITIONS = 6;
    private static final String FENCED = "-fenced";

    private final String name;

    /** @param name that of a broker; {@code kafka-fenced}: by transactions of each lane */
    BrokerScenario(String name) {
        this.name = name;
    }

    @Override
    public Summary summary() {
        String how = name.endsWith(FENCED) ? " in a transaction of each lane" : "";
        return new Summary(
                name,
                "a backlog to %s%s, against its own client with the same bytes".formatted(brokerName(), how),
                new Size(100_000, 1024, 5),
                new Size(50_000, 1024, 10));
    }

    @Override
    public List<String> brokers() {
        return List.of(brokerName());
    }

    private String brokerName() {
        return name.replace(FENCED, "");
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        String uri = context.brokerUri().orElseThrow();
        try (BenchOutbox outbox = context.openOutbox();
                BenchBroker broker = BenchBroker.open(uri, PARTITIONS, name.endsWith(FENCED))) {
            BrokerBacklog backlog = new BrokerBacklog(context, outbox, broker, BenchOutbox.KEYS);
            return new Contest(context)
                    .subject("bare-client", backlog::byBareClient)
                    .subject("postrider", backlog::byRelay)
                    .run("postrider", "bare-client");
        }
    }
}
