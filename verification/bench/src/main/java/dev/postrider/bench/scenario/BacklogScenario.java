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

/**
 * What it costs to fetch a message with many other rows in the table, and with a tenth of them, against few. In each round a new relay
 * delivers a small backlog.
 */
final class BacklogScenario implements Scenario {

    private static final int SMALL = 20_000;

    private final boolean isDead;

    private BacklogScenario(boolean isDead) {
        this.isDead = isDead;
    }

    /** The other rows wait. */
    static BacklogScenario waiting() {
        return new BacklogScenario(false);
    }

    /** The other rows were deleted just before, as rows are that were delivered, and the database has not cleaned up. */
    static BacklogScenario dead() {
        return new BacklogScenario(true);
    }

    @Override
    public Summary summary() {
        return new Summary(
                isDead ? "dead-rows" : "backlog",
                isDead
                        ? "the cost of fetching after up to a million rows were delivered, against none"
                        : "the cost of fetching from backlogs of up to two million rows, against 20,000",
                new Size(isDead ? 1_000_000 : 2_000_000, 512, 5),
                new Size(isDead ? 100_000 : 200_000, 512, 9));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        for (int rows : rows(context.size().messages())) {
            sizes.put(rows + "-rows", rows);
        }
        Contest contest = new Contest(context).equalTurns();
        try (OpenOutboxes outboxes = new OpenOutboxes()) {
            int measured = Math.min(SMALL, context.size().messages() / 10);
            for (Map.Entry<String, Integer> backlog : sizes.entrySet()) {
                context.progress("inserting " + backlog.getKey());
                BenchOutbox outbox = outboxes.add(context.openOutbox());
                prepare(context, outbox, backlog.getValue() - (isDead ? 0 : measured));
                contest.subject(backlog.getKey(), messages -> fetch(context, outbox, measured));
            }
            return lines(contest.run(), sizes);
        }
    }

    private SortedSet<Integer> rows(int largest) {
        return new TreeSet<>(List.of(isDead ? 0 : Math.min(SMALL, largest / 10), largest / 10, largest));
    }

    private void prepare(BenchContext context, BenchOutbox outbox, int rows) throws Exception {
        int atOnce = isDead ? SMALL : Math.max(1, rows);
        for (int left = rows; left > 0; left -= atOnce) {
            outbox.seed(Math.min(left, atOnce), context.payload());
            if (isDead) {
                outbox.empty();
            }
        }
    }

    private static Round fetch(BenchContext context, BenchOutbox outbox, int messages) throws Exception {
        outbox.seed(messages, context.payload());
        return FetchCost.measure(outbox.store(), messages);
    }

    private List<Measurement> lines(RoundsBySubject rounds, Map<String, Integer> sizes) {
        String smallest = sizes.keySet().iterator().next();
        return sizes.entrySet().stream()
                .map(size -> line(rounds, smallest, size))
                .toList();
    }

    /** The ratio is of costs, not of rates: how many times as much a message costs. */
    private Measurement line(RoundsBySubject rounds, String smallest, Map.Entry<String, Integer> size) {
        Rounds own = rounds.of(size.getKey());
        Measurement line = own.measured("postrider")
                .with(isDead ? "dead_rows" : "backlog", size.getValue())
                .with("microseconds_per_message", 1e6 / own.medianRate());
        return size.getKey().equals(smallest)
                ? line
                : line.comparedWith(rounds.of(smallest).medianRatioTo(own), "cost-at-" + smallest);
    }
}
