package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.load.Business;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.Span;
import dev.postrider.bench.store.BenchOutbox;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Drain and mixed load while a REPEATABLE READ transaction stays open, so that nothing deleted since can be removed, against the same
 * without it. They take turns: in each round the clean ones first, then the transaction begins, dead rows pile up, and the others
 * follow. It ends with the round, and the database cleans up before the next.
 */
final class OldSnapshotScenario implements Scenario {

    /** How many backlogs are delivered under the snapshot before it counts. */
    private static final int DEAD_BACKLOGS = 5;

    private static final String DRAIN = "drain";
    private static final String MIXED = "full-speed";

    @Override
    public String name() {
        return "old-snapshot";
    }

    @Override
    public String description() {
        return "drain and mixed while a REPEATABLE READ transaction stays open, against the same without";
    }

    @Override
    public Size size() {
        return new Size(50_000, 512, 5);
    }

    @Override
    public Size quickSize() {
        return new Size(5_000, 512, 2);
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox();
                OldSnapshot snapshot = new OldSnapshot(outbox)) {
            Trial trial = new Trial(
                    new Backlog(outbox, context.size().messages(), context.payload()),
                    new Business(outbox, context.payload()),
                    snapshot,
                    new HashMap<>());
            Map<String, Rounds> rounds = new Contest(context)
                    .subject("clean " + DRAIN, trial::cleanDrain)
                    .subject("clean " + MIXED, () -> trial.mixed("clean"))
                    .subject("old " + DRAIN, trial::oldDrain)
                    .subject("old " + MIXED, () -> trial.mixed("old"))
                    .run();
            List<Measurement> lines = new ArrayList<>();
            lines.addAll(lines(rounds, DRAIN));
            lines.addAll(withDelays(lines(rounds, MIXED), trial.lastMixed()));
            return lines;
        }
    }

    private static List<Measurement> lines(Map<String, Rounds> rounds, String load) {
        Rounds clean = rounds.get("clean " + load);
        Rounds old = rounds.get("old " + load);
        return List.of(
                clean.measured("postrider-clean").with("load", load),
                old.measured("postrider")
                        .comparedWith(old.medianRatioTo(clean), "postrider-clean")
                        .with("load", load));
    }

    /** The delays of the last round. */
    private static List<Measurement> withDelays(List<Measurement> lines, Map<String, Measurement> last) {
        return List.of(
                withDelays(lines.get(0), last.get("clean").figures()),
                withDelays(lines.get(1), last.get("old").figures()));
    }

    private static Measurement withDelays(Measurement line, Map<String, Object> figures) {
        Measurement delayed = line;
        for (String name : List.of("p50_ms", "p95_ms", "p99_ms", "max_ms", "max_lag")) {
            delayed = delayed.with(name, figures.get(name));
        }
        return delayed;
    }

    private record Trial(Backlog backlog, Business business, OldSnapshot snapshot, Map<String, Measurement> lastMixed) {

        Round cleanDrain() throws Exception {
            snapshot.release();
            return backlog.byRelay();
        }

        Round oldDrain() throws Exception {
            snapshot.hold();
            for (int dead = 0; dead < DEAD_BACKLOGS; dead++) {
                Round unused = backlog.byRelay();
            }
            return backlog.byRelay();
        }

        Round mixed(String which) throws Exception {
            long start = System.nanoTime();
            Measurement line = MixedScenario.atFullSpeed(backlog.messages() / 2, backlog.outbox(), business);
            lastMixed.put(which, line);
            return new Round(line.rate(), line.messages(), line.delivered(), Span.since(start));
        }
    }
}
