package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import java.util.List;

/** A backlog to a destination that does nothing, against the same by hand, and against the same with tracing. */
final class DrainScenario implements Scenario {

    private static final String LOOP = "jdbc-loop";
    private static final String RELAY = "postrider";

    @Override
    public Summary summary() {
        return new Summary(
                "drain",
                "a backlog to nowhere, against a JDBC loop written by hand; what tracing adds",
                new Size(100_000, 512, 7),
                new Size(60_000, 512, 11));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox();
                BenchTracing tracing = new BenchTracing(context.size())) {
            Backlog backlog = new Backlog(outbox, context.payload());
            Contest contest = new Contest(context)
                    .rotate()
                    .subject(LOOP, backlog::byLoop)
                    .subject(RELAY, backlog::byRelay)
                    .subject(
                            BenchTracing.OFF,
                            messages -> backlog.byRelay(messages, relay -> relay.tracing(tracing.off())))
                    .subject(
                            BenchTracing.SAMPLED,
                            messages -> tracing.counted(backlog.byTracedRelay(messages, tracing.sampled())));
            return lines(contest.run());
        }
    }

    private static List<Measurement> lines(RoundsBySubject rounds) {
        Rounds relay = rounds.of(RELAY);
        Rounds loop = rounds.of(LOOP);
        return List.of(
                loop.measured(LOOP),
                relay.measured(RELAY).comparedWith(relay.medianRatioTo(loop), LOOP),
                BenchTracing.line(BenchTracing.OFF, rounds, relay),
                BenchTracing.line(BenchTracing.SAMPLED, rounds, relay));
    }
}
