package dev.postrider.bench.scenario;

import dev.postrider.bench.load.Business;
import dev.postrider.bench.load.MixedLoad;
import dev.postrider.bench.load.Producers;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Median;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.Span;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.RelayDrain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Producers that write as fast as they can, with a relay beside them and alone. Remembers the delays of its turns. Not thread-safe. */
final class FullSpeed {

    static final String LOAD = "full-speed";

    private static final int PRODUCERS = 4;
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final List<String> MEDIANS = List.of("p50_ms", "p95_ms", "p99_ms", "producer_rate");
    private static final List<String> LARGEST = List.of("max_ms", "max_lag");

    private final BenchOutbox outbox;
    private final Business business;
    private final List<Measurement> turns = new ArrayList<>();

    FullSpeed(BenchOutbox outbox, Business business) {
        this.outbox = outbox;
        this.business = business;
    }

    Round withRelay(int messages) throws Exception {
        long start = System.nanoTime();
        Measurement turn =
                new MixedLoad(PRODUCERS, MixedLoad.FULL_SPEED, messages / 10, messages).run(outbox, business);
        turns.add(turn);
        return new Round(turn.rate(), turn.messages(), turn.delivered(), Span.since(start));
    }

    /** What they have written is delivered afterwards, and does not count. */
    Round alone(int messages) throws Exception {
        Producers.Output output = new Producers(PRODUCERS, messages, LONGEST).place(business, 1);
        business.forgetOrders();
        Round drained = RelayDrain.drain(outbox.store(), output.transactions());
        outbox.requireEmpty();
        return new Round(output.perSecond(), output.transactions(), drained.delivered(), output.span());
    }

    /** The line of these rounds beside a relay: medians of the rounds' own delays, and the largest of all rounds. */
    Measurement measured(String subject, Rounds rounds) {
        Measurement line = rounds.measured(subject).with("load", LOAD);
        for (String name : MEDIANS) {
            line = line.with(name, Median.of(figures(name, rounds)));
        }
        for (String name : LARGEST) {
            line = line.with(name, figures(name, rounds).stream().reduce(0.0, Math::max));
        }
        return line;
    }

    /** Those turns that counted are the last ones. */
    private List<Double> figures(String name, Rounds rounds) {
        return turns.subList(turns.size() - rounds.count(), turns.size()).stream()
                .map(turn -> turn.number(name))
                .toList();
    }
}
