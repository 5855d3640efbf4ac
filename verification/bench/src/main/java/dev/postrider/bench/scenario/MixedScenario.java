package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Pace;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.load.Business;
import dev.postrider.bench.load.MixedLoad;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import java.util.ArrayList;
import java.util.List;

/**
 * Producers at full speed and at fixed rates with a relay in the same process: how long messages take, how far the relay falls
 * behind, and how much slower the producers are for it. Full speed comes first, so that all code is warm at the fixed rates.
 */
final class MixedScenario implements Scenario {

    private static final int USUAL_RATE = 1_000;
    private static final List<Integer> RATES = List.of(100, USUAL_RATE, 2_000);
    private static final int PRODUCERS = 16;
    private static final int LONGEST_WARM_UP_SECONDS = 5;
    private static final double SHARE_OF_FULL_SPEED = 0.25;

    /** The rest is for a warm-up of half as many messages, and for what comes late. */
    private static final double SHARE_THAT_COUNTS = 0.6;

    private static final String ALONE = "producers-alone";
    private static final String WITH_RELAY = "postrider";

    /** The size is that at full speed; at the usual rate there are as many as in all rounds, at others as many more or fewer. */
    @Override
    public Summary summary() {
        return new Summary(
                "mixed",
                "producers and a relay together: delay from commit to acknowledgement at 100, 1,000 and 2,000/s and full speed",
                new Size(20_000, 512, 3),
                new Size(4_000, 512, 3));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (BenchOutbox outbox = context.openOutbox()) {
            Business business = new Business(outbox, context.payload());
            List<Measurement> lines = new ArrayList<>(fullSpeed(context, new FullSpeed(outbox, business)));
            double reachable = lines.get(1).number("producer_rate");
            int left = RATES.size();
            for (int rate : RATES) {
                context.progress(rate + " messages per second");
                MixedLoad load = load(context, rate, Math.min(rate, reachable), left--);
                lines.add(context.watched(() -> load.run(outbox, business)));
            }
            return lines;
        }
    }

    /** The producers alone, then with a relay. */
    private static List<Measurement> fullSpeed(BenchContext context, FullSpeed producers) throws Exception {
        RoundsBySubject rounds = new Contest(context)
                .share(SHARE_OF_FULL_SPEED)
                .subject(ALONE, producers::alone)
                .subject(WITH_RELAY, producers::withRelay)
                .run();
        Rounds alone = rounds.of(ALONE);
        Rounds with = rounds.of(WITH_RELAY);
        Measurement line = producers.measured(WITH_RELAY, with).comparedWith(with.medianRatioTo(alone), ALONE);
        double producerRate = line.number("producer_rate");
        return List.of(
                alone.measured(ALONE).with("load", FullSpeed.LOAD),
                line.with("producer_slowdown", alone.medianRate() / producerRate));
    }

    /**
     * As many messages as are wanted, or as fit into the time that is left.
     *
     * @param reachable how many of them the producers can write in a second
     * @param ratesLeft how many rates share the time
     */
    private static MixedLoad load(BenchContext context, int rate, double reachable, int ratesLeft) {
        Pace pace = context.pace();
        double wantedSeconds = (double) context.size().work() / USUAL_RATE;
        double secondsLeft = pace.left().toMillis() / 1e3 / ratesLeft;
        double seconds = Math.min(wantedSeconds, secondsLeft * SHARE_THAT_COUNTS);
        int messages = Math.max(10, (int) (seconds * reachable));
        int warmUp = (int) Math.min(messages / 2.0, LONGEST_WARM_UP_SECONDS * reachable);
        if (rate == USUAL_RATE) {
            pace.did(messages);
        }
        return new MixedLoad(PRODUCERS, rate, warmUp, messages);
    }
}
