package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Payload;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.store.BenchOutbox;
import java.util.ArrayList;
import java.util.List;

/** The drain with payloads from small to large, against the loop by hand. Of large ones there are fewer. */
final class PayloadScenario implements Scenario {

    private static final List<Integer> BYTES = List.of(128, 512, 4_096, 16_384, 131_072);
    private static final long LARGEST_BACKLOG = 256_000_000;
    private static final long LARGEST_QUICK_BACKLOG = 25_000_000;

    @Override
    public String name() {
        return "payload";
    }

    @Override
    public String description() {
        return "drain with payloads of 128 B to 128 KB, against the JDBC loop";
    }

    @Override
    public Size size() {
        return new Size(100_000, 128, 3);
    }

    @Override
    public Size quickSize() {
        return new Size(10_000, 128, 1);
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        List<Measurement> lines = new ArrayList<>();
        for (int bytes : BYTES) {
            context.progress(bytes + " bytes");
            try (BenchOutbox outbox = context.openOutbox()) {
                Backlog backlog = new Backlog(outbox, messages(context, bytes), Payload.of(bytes, context.seed()));
                List<Measurement> compared = new Contest(context)
                        .subject("jdbc-loop", backlog::byLoop)
                        .subject("postrider", backlog::byRelay)
                        .run("postrider", "jdbc-loop");
                compared.forEach(line -> lines.add(sized(line, bytes)));
            }
        }
        return lines;
    }

    private static int messages(BenchContext context, int bytes) {
        long largest = context.isQuick() ? LARGEST_QUICK_BACKLOG : LARGEST_BACKLOG;
        return (int) Math.max(100, Math.min(context.size().messages(), largest / bytes));
    }

    private static Measurement sized(Measurement line, int bytes) {
        return line.with("bytes", bytes).with("megabytes_per_second", line.rate() * bytes / 1e6);
    }
}
