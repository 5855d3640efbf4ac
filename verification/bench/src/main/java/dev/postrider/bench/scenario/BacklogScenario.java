package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.FetchCost;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** What it costs to fetch a message from a large backlog and from one of a tenth of it, against a small one. In each round a new relay delivers about as many messages of each backlog as the small one has. */
final class BacklogScenario implements Scenario {

    private static final int SMALL = 20_000;

    @Override
    public String name() {
        return "backlog";
    }

    @Override
    public String description() {
        return "the cost of fetching from backlogs of up to two million rows, against 20,000";
    }

    @Override
    public Size size() {
        return new Size(2_000_000, 512, 5);
    }

    @Override
    public Size quickSize() {
        return new Size(200_000, 512, 9);
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        for (int rows : rows(context.size().messages())) {
            sizes.put(rows + "-rows", rows);
        }
        Contest contest = new Contest(context).equalTurns();
        try (OpenOutboxes outboxes = new OpenOutboxes()) {
            int delivered = sizes.values().iterator().next();
            for (Map.Entry<String, Integer> backlog : sizes.entrySet()) {
                context.progress("inserting " + backlog.getKey());
                BenchOutbox outbox = outboxes.add(context.openOutbox());
                outbox.seed(backlog.getValue() - delivered, context.payload());
                contest.subject(backlog.getKey(), messages -> fetch(context, outbox, delivered));
            }
            return lines(contest.run(), sizes);
        }
    }

    private static SortedSet<Integer> rows(int largest) {
        return new TreeSet<>(List.of(Math.min(SMALL, largest / 10), largest / 10, largest));
    }

    private static Round fetch(BenchContext context, BenchOutbox outbox, int messages) throws Exception {
        outbox.seed(messages, context.payload());
        return FetchCost.measure(outbox.store(), messages);
    }

    private static List<Measurement> lines(RoundsBySubject rounds, Map<String, Integer> sizes) {
        String smallest = sizes.keySet().iterator().next();
        return sizes.entrySet().stream()
                .map(size -> line(rounds, smallest, size))
                .toList();
    }

    /** The ratio is of costs, not of rates: how many times as much a message costs. */
    private static Measurement line(RoundsBySubject rounds, String smallest, Map.Entry<String, Integer> size) {
        Rounds own = rounds.of(size.getKey());
        Measurement line = own.measured("postrider")
                .with("backlog", size.getValue())
                .with("microseconds_per_message", 1e6 / own.medianRate());
        return size.getKey().equals(smallest)
                ? line
                : line.comparedWith(rounds.of(smallest).medianRatioTo(own), "cost-at-" + smallest);
    }
}
