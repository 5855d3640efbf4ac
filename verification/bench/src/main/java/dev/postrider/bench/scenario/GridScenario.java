package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The drain for each number of lanes and each batch size, against the defaults. */
final class GridScenario implements Scenario {

    private static final List<Integer> LANES = List.of(1, 4, 16, 64);
    private static final List<Integer> BATCHES = List.of(100, 500, 2_000);
    private static final Cell DEFAULT = new Cell(16, 500);

    private record Cell(int lanes, int batch) {}

    @Override
    public Summary summary() {
        return new Summary(
                "grid",
                "drain with 1 to 64 lanes and batches of 100 to 2,000, against the defaults",
                new Size(50_000, 512, 3),
                new Size(20_000, 512, 5));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        Contest contest = new Contest(context);
        Map<String, Cell> cells = new LinkedHashMap<>();
        try (OpenOutboxes outboxes = new OpenOutboxes()) {
            for (int lanes : LANES) {
                BenchOutbox outbox = outboxes.add(context.database().openOutbox(settings -> settings.lanes(lanes)));
                Backlog backlog = new Backlog(outbox, context.payload());
                for (int batch : BATCHES) {
                    Cell cell = new Cell(lanes, batch);
                    cells.put(cell.toString(), cell);
                    contest.subject(
                            cell.toString(),
                            messages -> backlog.byRelay(messages, options -> options.batchSize(batch)));
                }
            }
            return lines(contest.run(), cells);
        }
    }

    private static List<Measurement> lines(RoundsBySubject rounds, Map<String, Cell> cells) {
        Rounds defaults = rounds.of(DEFAULT.toString());
        return cells.entrySet().stream()
                .map(cell -> line(rounds.of(cell.getKey()), cell.getValue(), defaults))
                .toList();
    }

    private static Measurement line(Rounds rounds, Cell cell, Rounds defaults) {
        return rounds.measured("postrider")
                .comparedWith(rounds.medianRatioTo(defaults), "defaults")
                .with("lanes", cell.lanes())
                .with("batch_size", cell.batch());
    }
}
