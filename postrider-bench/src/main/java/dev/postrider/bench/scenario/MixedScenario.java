package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.load.Business;
import dev.postrider.bench.load.MixedLoad;
import dev.postrider.bench.load.Producers;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.RelayDrain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Producers at full speed and at fixed rates with a relay in the same process: how long messages take, how far the relay falls
 * behind, and how much slower the producers are for it. Full speed comes first, so that all code is warm at the fixed rates.
 */
final class MixedScenario implements Scenario {

    static final int USUAL_RATE = 1_000;
    static final int PRODUCERS_BY_TIMETABLE = 16;
    static final int PRODUCERS_AT_FULL_SPEED = 4;

    private static final List<Integer> RATES = List.of(100, USUAL_RATE, 2_000);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    @Override
    public String name() {
        return "mixed";
    }

    @Override
    public String description() {
        return "producers and a relay together: delay from commit to acknowledgement at 100, 1,000 and 2,000/s and full speed";
    }

    /** The messages are those at the usual rate; at others as many more or fewer. */
    @Override
    public Size size() {
        return new Size(60_000, 512, 1);
    }

    @Override
    public Size quickSize() {
        return new Size(4_000, 512, 1);
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        List<Measurement> lines = new ArrayList<>();
        int messages = context.size().messages();
        try (BenchOutbox outbox = context.openOutbox()) {
            Business business = new Business(outbox, context.payload());
            lines.addAll(fullSpeed(context, outbox, business));
            for (int rate : RATES) {
                context.progress(rate + " messages per second");
                int counted = scaled(messages, rate);
                int warmUp = Math.min(counted / 2, 5 * rate);
                MixedLoad load = new MixedLoad(PRODUCERS_BY_TIMETABLE, rate, warmUp, counted);
                lines.add(context.watched(() -> load.run(outbox, business)));
            }
        }
        return lines;
    }

    private static int scaled(int messages, int rate) {
        return Math.max(10, (int) ((long) messages * rate / USUAL_RATE));
    }

    private static List<Measurement> fullSpeed(BenchContext context, BenchOutbox outbox, Business business)
            throws Exception {
        int messages = context.size().messages();
        context.progress("full speed, warm-up");
        atFullSpeed(messages / 2, outbox, business);
        context.progress("full speed, producers alone");
        Measurement alone = context.watched(() -> alone(messages, outbox, business));
        context.progress("full speed, with a relay");
        Measurement with = context.watched(() -> atFullSpeed(messages, outbox, business));
        return List.of(
                alone,
                with.comparedWith(with.rate() / alone.rate(), alone.subject())
                        .with(
                                "producer_slowdown",
                                alone.rate() / (double) with.figures().get("producer_rate")));
    }

    static Measurement atFullSpeed(int messages, BenchOutbox outbox, Business business) throws Exception {
        return new MixedLoad(PRODUCERS_AT_FULL_SPEED, MixedLoad.FULL_SPEED, messages / 10, messages)
                .run(outbox, business)
                .with("load", "full-speed");
    }

    private static Measurement alone(int messages, BenchOutbox outbox, Business business) throws Exception {
        Producers.Output output = new Producers(PRODUCERS_AT_FULL_SPEED, messages, LONGEST).place(business, 1);
        business.forgetOrders();
        long delivered = RelayDrain.drain(outbox.store(), output.transactions()).delivered();
        outbox.requireEmpty();
        return Measurement.of("producers-alone", output.perSecond(), output.transactions(), delivered)
                .with("load", "full-speed");
    }
}
