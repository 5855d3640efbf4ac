package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.broker.BenchBroker;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.spi.Ordering;
import java.util.List;

/** A backlog in global order to a real broker, on one partition, against the broker's own client. */
final class GlobalScenario implements Scenario {

    @Override
    public String name() {
        return "global";
    }

    @Override
    public String description() {
        return "a backlog in global order to a broker, against its own client with the same bytes";
    }

    @Override
    public Size size() {
        return new Size(50_000, 512, 5);
    }

    @Override
    public Size quickSize() {
        return new Size(10_000, 512, 5);
    }

    @Override
    public List<String> brokers() {
        return List.of("kafka", "rabbitmq", "nats");
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        String uri = context.brokerUri().orElseThrow();
        try (BenchOutbox outbox = context.database().openOutbox(settings -> settings.lanes(1));
                BenchBroker broker = BenchBroker.open(uri, 1, false)) {
            BrokerBacklog backlog = new BrokerBacklog(context, outbox, broker, BenchOutbox.KEYS);
            return new Contest(context)
                    .subject("bare-client", backlog::byBareClient)
                    .subject(
                            "postrider",
                            messages -> backlog.byRelay(messages, options -> options.ordering(Ordering.GLOBAL)))
                    .run("postrider", "bare-client");
        }
    }
}
