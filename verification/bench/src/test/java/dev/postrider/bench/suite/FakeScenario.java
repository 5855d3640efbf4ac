package dev.postrider.bench.suite;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.service.database.DatabaseKind;
import java.util.List;

/** Delivers the number of messages that it is told. */
record FakeScenario(String name, long delivered, List<String> brokers) implements Scenario {

    FakeScenario(String name) {
        this(name, 10, List.of());
    }

    @Override
    public Summary summary() {
        return new Summary(name, "nothing", new Size(1_000, 512, 4), new Size(10, 512, 1));
    }

    @Override
    public boolean runsOn(DatabaseKind kind) {
        return !name.equals("not on h2");
    }

    @Override
    public List<Measurement> run(BenchContext context) {
        context.progress("at work");
        return List.of(Measurement.of("postrider", 100, context.size().messages(), delivered));
    }
}
