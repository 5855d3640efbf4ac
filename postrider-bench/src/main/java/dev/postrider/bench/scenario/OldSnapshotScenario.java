package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.load.Business;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.store.BenchOutbox;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Drain and mixed load while a REPEATABLE READ transaction stays open, so that nothing deleted since can be removed, against the same
 * without it. Clean rounds come first: the transaction holds back the clean-up of the whole database.
 */
final class OldSnapshotScenario implements Scenario {

    /** How many backlogs are delivered under the snapshot before it counts. */
    private static final int DEAD_BACKLOGS = 5;

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
        return new Size(10_000, 512, 2);
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox()) {
            Trial trial = new Trial(
                    context,
                    new Backlog(outbox, context.size().messages(), context.payload()),
                    new Business(outbox, context.payload()));
            trial.run("warm-up", 1);
            Figures clean = trial.run("clean", context.size().rounds());
            try (Connection reader = context.database().connection()) {
                holdSnapshot(reader, outbox);
                trial.drain("dead rows", DEAD_BACKLOGS);
                Figures old = trial.run("old snapshot", context.size().rounds());
                reader.rollback();
                reader.setAutoCommit(true);
                return lines(clean, old);
            }
        }
    }

    private static void holdSnapshot(Connection reader, BenchOutbox outbox) throws Exception {
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        reader.setAutoCommit(false);
        try (Statement statement = reader.createStatement()) {
            statement.executeQuery("SELECT count(*) FROM " + outbox.table()).close();
        }
    }

    private static List<Measurement> lines(Figures clean, Figures old) {
        List<Measurement> lines = new ArrayList<>(List.of(
                clean.drain().measured("postrider-clean").with("load", "drain"),
                old.drain()
                        .measured("postrider")
                        .comparedWith(old.drain().medianRate() / clean.drain().medianRate(), "postrider-clean")
                        .with("load", "drain")));
        lines.add(new Measurement(
                "postrider-clean",
                clean.mixed().rate(),
                clean.mixed().messages(),
                clean.mixed().delivered(),
                clean.mixed().figures()));
        lines.add(old.mixed().comparedWith(old.mixed().rate() / clean.mixed().rate(), "postrider-clean"));
        return lines;
    }

    private record Figures(Rounds drain, Measurement mixed) {}

    private record Trial(BenchContext context, Backlog backlog, Business business) {

        Figures run(String label, int rounds) throws Exception {
            Rounds drained = drain(label, rounds);
            context.progress(label + ", mixed");
            return new Figures(drained, MixedScenario.atFullSpeed(backlog.messages() / 2, backlog.outbox(), business));
        }

        Rounds drain(String label, int rounds) throws Exception {
            Rounds drained = new Rounds();
            for (int round = 1; round <= rounds; round++) {
                context.progress("%s, drain %d of %d".formatted(label, round, rounds));
                Round result = backlog.byRelay();
                drained.add(result);
            }
            return drained;
        }
    }
}
