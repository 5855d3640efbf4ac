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

/** A backlog of one key to a real broker, with several values of the relay's {@code maxInFlightPerKey}. */
final class InFlightScenario implements Scenario {

    private static final List<Integer> LIMITS = List.of(50, 200, 1000);
    private static final String BARE = "bare-client";

    @Override
    public Summary summary() {
        return new Summary(
                "in-flight",
                "a backlog of one key to Kafka with 50, 200 and 1,000 messages in flight, against its own client",
                new Size(50_000, 512, 5),
                new Size(10_000, 512, 5));
    }

    @Override
    public List<String> brokers() {
        return List.of("kafka");
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        String uri = context.brokerUri().orElseThrow();
        try (BenchOutbox outbox = context.openOutbox();
                BenchBroker broker = BenchBroker.open(uri, 1, false)) {
            BrokerBacklog backlog = new BrokerBacklog(context, outbox, broker, 1);
            Contest contest = new Contest(context).subject(BARE, backlog::byBareClient);
            for (int limit : LIMITS) {
                contest.subject(
                        "postrider with " + limit,
                        messages -> backlog.byRelay(messages, relay -> relay.maxInFlightPerKey(limit)));
            }
            return lines(contest.run());
        }
    }

    private static List<Measurement> lines(RoundsBySubject rounds) {
        List<Measurement> lines = new ArrayList<>();
        lines.add(rounds.of(BARE).measured(BARE));
        for (int limit : LIMITS) {
            var relay = rounds.of("postrider with " + limit);
            lines.add(relay.measured("postrider")
                    .comparedWith(relay.medianRatioTo(rounds.of(BARE)), BARE)
                    .with("max_in_flight_per_key", limit));
        }
        return lines;
    }
}
