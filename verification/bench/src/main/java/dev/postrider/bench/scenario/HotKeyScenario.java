package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.broker.BenchBroker;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.spi.Ordering;
import java.util.ArrayList;
import java.util.List;

/** A backlog with few lines to keep in order, to a real broker, on one partition, against the broker's own client with the same keys. */
final class HotKeyScenario implements Scenario {

    private static final String AGAINST = "to a broker, against its own client with the same ";

    static final Scenario FEW_KEYS = new HotKeyScenario(
            "hot-key", "backlogs of 1, 8 and 64 keys " + AGAINST + "keys", List.of(1, 8, 64), Ordering.PER_KEY);
    static final Scenario GLOBAL = new HotKeyScenario(
            "global", "a backlog in global order " + AGAINST + "bytes", List.of(BenchOutbox.KEYS), Ordering.GLOBAL);

    private final Summary summary;
    private final List<Integer> keyCounts;
    private final Ordering ordering;

    private HotKeyScenario(String name, String description, List<Integer> keyCounts, Ordering ordering) {
        this.summary = new Summary(name, description, new Size(50_000, 512, 5), new Size(10_000, 512, 5));
        this.keyCounts = keyCounts;
        this.ordering = ordering;
    }

    @Override
    public Summary summary() {
        return summary;
    }

    @Override
    public List<String> brokers() {
        return List.of("kafka", "rabbitmq", "nats");
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        String uri = context.brokerUri().orElseThrow();
        try (BenchOutbox outbox = openOutbox(context);
                BenchBroker broker = BenchBroker.open(uri, 1, false)) {
            Contest contest = new Contest(context);
            for (int keys : keyCounts) {
                BrokerBacklog backlog = new BrokerBacklog(context, outbox, broker, keys);
                contest.subject("bare-client of " + keys, backlog::byBareClient);
                contest.subject(
                        "postrider of " + keys,
                        messages -> backlog.byRelay(messages, relay -> relay.ordering(ordering)));
            }
            return lines(contest.run());
        }
    }

    private BenchOutbox openOutbox(BenchContext context) {
        return ordering == Ordering.GLOBAL
                ? context.database().openOutbox(settings -> settings.lanes(1))
                : context.openOutbox();
    }

    private List<Measurement> lines(RoundsBySubject rounds) {
        List<Measurement> lines = new ArrayList<>();
        for (int keys : keyCounts) {
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
