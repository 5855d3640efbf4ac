package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.store.BenchOutbox;
import java.util.List;

/** A backlog whose messages are all of one key, which is delivered one by one, against one of many keys. */
final class HotKeyScenario implements Scenario {

    @Override
    public String name() {
        return "hot-key";
    }

    @Override
    public String description() {
        return "all messages of one key, against ten thousand keys";
    }

    @Override
    public Size size() {
        return new Size(100_000, 512, 5);
    }

    @Override
    public Size quickSize() {
        return new Size(40_000, 512, 12);
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox()) {
            Backlog many = new Backlog(outbox, context.payload());
            Backlog one = new Backlog(outbox, context.payload(), 1);
            return new Contest(context)
                    .subject("many-keys", many::byRelay)
                    .subject("postrider", one::byRelay)
                    .run("postrider", "many-keys");
        }
    }
}
