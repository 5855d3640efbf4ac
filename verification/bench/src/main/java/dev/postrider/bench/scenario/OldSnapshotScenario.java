package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.load.Business;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import java.util.List;

/**
 * Drain and mixed load while a REPEATABLE READ transaction stays open, so that nothing deleted since can be removed, against the same
 * without it. They take turns: in each round the clean ones first, then the transaction begins, dead rows pile up, and the others
 * follow. It ends with the round, and the database cleans up before the next.
 */
final class OldSnapshotScenario implements Scenario {

    /** How many backlogs are delivered under the snapshot before it counts. */
    private static final int DEAD_BACKLOGS = 5;

    private static final String DRAIN = "drain";
    private static final String CLEAN = "postrider-clean";
    private static final String OLD = "postrider";

    @Override
    public Summary summary() {
        return new Summary(
                "old-snapshot",
                "drain and mixed while a REPEATABLE READ transaction stays open, against the same without",
                new Size(50_000, 512, 5),
                new Size(10_000, 512, 9));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox();
                OldSnapshot snapshot = new OldSnapshot(outbox)) {
            Backlog backlog = new Backlog(outbox, context.payload());
            Business business = new Business(outbox, context.payload());
            FullSpeed clean = new FullSpeed(outbox, business);
            FullSpeed old = new FullSpeed(outbox, business);
            RoundsBySubject rounds = new Contest(context)
                    .subject("clean drain", messages -> cleanDrain(backlog, snapshot, messages))
                    .subject("clean mixed", messages -> clean.withRelay(messages / 2))
                    .subject("old drain", messages -> oldDrain(backlog, snapshot, messages))
                    .subject("old mixed", messages -> old.withRelay(messages / 2))
                    .run();
            return List.of(
                    rounds.of("clean drain").measured(CLEAN).with("load", DRAIN),
                    compared(rounds.of("old drain").measured(OLD).with("load", DRAIN), rounds, "drain"),
                    clean.measured(CLEAN, rounds.of("clean mixed")),
                    compared(old.measured(OLD, rounds.of("old mixed")), rounds, "mixed"));
        }
    }

    private static Measurement compared(Measurement line, RoundsBySubject rounds, String load) {
        return line.comparedWith(rounds.of("old " + load).medianRatioTo(rounds.of("clean " + load)), CLEAN);
    }

    private static Round cleanDrain(Backlog backlog, OldSnapshot snapshot, int messages) throws Exception {
        snapshot.release();
        return backlog.byRelay(messages);
    }

    private static Round oldDrain(Backlog backlog, OldSnapshot snapshot, int messages) throws Exception {
        snapshot.hold();
        for (int dead = 0; dead < DEAD_BACKLOGS; dead++) {
            Round unused = backlog.byRelay(messages);
        }
        return backlog.byRelay(messages);
    }
}
