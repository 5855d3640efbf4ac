package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.broker.BenchBroker;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import java.util.ArrayList;
import java.util.List;

/** A backlog of few keys to a real broker, on one partition, against the broker's own client with the same keys. */
final class HotKeyScenario implements Scenario {

    private static final List<Integer> KEYS = List.of(1, 8, 64);

    @Override
    public String name() {
        return "hot-key";
    }

    @Override
    public String description() {
        return "backlogs of 1, 8 and 64 keys to a broker, against its own client with the same keys";
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
        try (BenchOutbox outbox = context.openOutbox();
                BenchBroker broker = BenchBroker.open(uri, 1, false)) {
            Contest contest = new Contest(context);
            for (int keys : KEYS) {
                BrokerBacklog backlog = new BrokerBacklog(context, outbox, broker, keys);
                contest.subject("bare-client of " + keys, backlog::byBareClient);
                contest.subject("postrider of " + keys, backlog::byRelay);
            }
            return lines(contest.run());
        }
    }

    private static List<Measurement> lines(RoundsBySubject rounds) {
        List<Measurement> lines = new ArrayList<>();
        for (int keys : KEYS) {
            var bare = rounds.of("bare-client of " + keys);
            var relay = rounds.of("postrider of " + keys);
            lines.add(bare.measured("bare-client").with("keys", keys));
            lines.add(relay.measured("postrider")
                    .comparedWith(relay.medianRatioTo(bare), "bare-client")
                    .with("keys", keys));
        }
        return lines;
    }
}
