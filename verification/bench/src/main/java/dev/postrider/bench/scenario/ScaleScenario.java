package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.DrainingRelays;
import java.util.List;

/** Several relays that share the lanes of one outbox, each with a destination that does nothing, against one. */
final class ScaleScenario implements Scenario {

    private static final List<Integer> RELAYS = List.of(1, 2, 4);

    @Override
    public Summary summary() {
        return new Summary(
                "scale",
                "1, 2 and 4 relays on one backlog, against one relay",
                new Size(200_000, 512, 3),
                new Size(60_000, 512, 5));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox()) {
            Contest contest = new Contest(context);
            for (int relays : RELAYS) {
                contest.subject(relays + " relays", messages -> drain(context, outbox, relays, messages));
            }
            return lines(contest.run());
        }
    }

    /** The backlog becomes visible when the relays have shared the lanes: all of it is inserted by one transaction. */
    private static Round drain(BenchContext context, BenchOutbox outbox, int count, int messages) throws Exception {
        try (DrainingRelays relays = DrainingRelays.start(outbox, count, messages)) {
            relays.awaitBalance();
            outbox.seedAtOnce(messages, context.payload());
            Round round = relays.await();
            outbox.requireEmpty();
            return round;
        }
    }

    private static List<Measurement> lines(RoundsBySubject rounds) {
        Rounds one = rounds.of(RELAYS.get(0) + " relays");
        return RELAYS.stream()
                .map(relays -> line(rounds.of(relays + " relays"), one, relays))
                .toList();
    }

    private static Measurement line(Rounds rounds, Rounds one, int relays) {
        Measurement line = rounds.measured("postrider").with("relays", relays);
        return relays == 1 ? line : line.comparedWith(rounds.medianRatioTo(one), "one-relay");
    }
}
