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

    /** Payloads up to this size come in the same number as the shortest. */
    private static final long SMALL = 2_560;

    @Override
    public Summary summary() {
        return new Summary(
                "payload",
                "drain with payloads of 128 B to 128 KB, against the JDBC loop",
                new Size(100_000, 128, 3),
                new Size(30_000, 128, 5));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        List<Measurement> lines = new ArrayList<>();
        int left = BYTES.size();
        for (int bytes : BYTES) {
            context.progress(bytes + " bytes");
            try (BenchOutbox outbox = context.openOutbox()) {
                Backlog backlog = new Backlog(outbox, Payload.of(bytes, context.seed()));
                List<Measurement> compared = new Contest(context)
                        .share(1.0 / left--)
                        .subject("jdbc-loop", messages -> backlog.byLoop(fewer(messages, bytes)))
                        .subject("postrider", messages -> backlog.byRelay(fewer(messages, bytes)))
                        .run("postrider", "jdbc-loop");
                compared.forEach(line -> lines.add(sized(line, bytes)));
            }
        }
        return lines;
    }

    private static int fewer(int messages, int bytes) {
        return (int) Math.max(10, Math.min(messages, messages * SMALL / bytes));
    }

    private static Measurement sized(Measurement line, int bytes) {
        return line.with("bytes", bytes).with("megabytes_per_second", line.rate() * bytes / 1e6);
    }
}
