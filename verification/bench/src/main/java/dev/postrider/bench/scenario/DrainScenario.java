package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.store.BenchOutbox;
import java.util.List;

/** A backlog to a destination that does nothing, against the same by hand. */
final class DrainScenario implements Scenario {

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public String description() {
        return "a backlog to nowhere, against a JDBC loop written by hand";
    }

    @Override
    public Size size() {
        return new Size(100_000, 512, 7);
    }

    @Override
    public Size quickSize() {
        return new Size(60_000, 512, 11);
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox()) {
            Backlog backlog = new Backlog(outbox, context.payload());
            return new Contest(context)
                    .subject("jdbc-loop", backlog::byLoop)
                    .subject("postrider", backlog::byRelay)
                    .run("postrider", "jdbc-loop");
        }
    }
}
