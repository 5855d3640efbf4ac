package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.SkipLockedRelay;
import dev.postrider.bench.store.SkipLockedRelay.Marking;
import dev.postrider.service.database.DatabaseKind;
import java.util.List;

/** A backlog to nowhere, against the relay over a status column that most teams write, and against a better one. */
final class SkipLockedScenario implements Scenario {

    private static final String USUAL = "skip-locked";
    private static final String BATCHED = "skip-locked-batched";

    @Override
    public Summary summary() {
        return new Summary(
                "skip-locked",
                "a backlog to nowhere, against a status column with SKIP LOCKED and an UPDATE for each row",
                new Size(50_000, 512, 5),
                new Size(30_000, 512, 8));
    }

    /** H2 locks more rows than it returns. */
    @Override
    public boolean runsOn(DatabaseKind kind) {
        return kind != DatabaseKind.H2;
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox()) {
            Backlog backlog = new Backlog(outbox, context.payload());
            SkipLockedRelay usual = new SkipLockedRelay(outbox, "_usual", Marking.ROW_BY_ROW);
            SkipLockedRelay batched = new SkipLockedRelay(outbox, "_batched", Marking.WHOLE_BATCH);
            return lines(new Contest(context)
                    .subject(USUAL, messages -> usual.drain(messages, context.payload()))
                    .subject(BATCHED, messages -> batched.drain(messages, context.payload()))
                    .subject("postrider", backlog::byRelay)
                    .run());
        }
    }

    private static List<Measurement> lines(RoundsBySubject rounds) {
        Rounds postrider = rounds.of("postrider");
        return List.of(
                rounds.of(USUAL).measured(USUAL),
                rounds.of(BATCHED).measured(BATCHED),
                postrider
                        .measured("postrider")
                        .comparedWith(postrider.medianRatioTo(rounds.of(USUAL)), USUAL)
                        .with("ratio_to_batched", postrider.medianRatioTo(rounds.of(BATCHED))));
    }
}
