package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.load.Business;
import dev.postrider.bench.load.Producers;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.LoopDrain;
import dev.postrider.spi.TraceContext;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What the outbox costs a service: business transactions without it, against the same with messages enqueued. The ratio is how many
 * times as long a transaction takes. Messages alone, inserted with auto-commit, are the limit of what the database takes. Two producers also
 * enqueue with tracing.
 */
final class EnqueueScenario implements Scenario {

    private static final List<Integer> PRODUCERS = List.of(1, 2, 4, 8);

    /** How long a turn takes at most: some databases would need minutes for their transactions. */
    private static final long MICROS_FOR_A_TRANSACTION = 20;

    private static final long SHORTEST_TURN_MICROS = 100_000;
    private static final String ALONE = "business-only";
    private static final String ONE = "1";
    private static final String TEN = "10";
    private static final String RAW = "raw-insert";

    /** With as many producers as there are cores on a small machine, a transaction's own work counts most. */
    private static final int TRACED_PRODUCERS = 2;

    @Override
    public Summary summary() {
        return new Summary(
                "enqueue",
                "business transactions with 1 and 10 messages, against the same without an outbox; 1 to 8 producers;"
                        + " what tracing adds",
                new Size(100_000, 512, 7),
                new Size(15_000, 512, 9));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        List<Measurement> lines = new ArrayList<>();
        try (BenchOutbox outbox = context.openOutbox();
                BenchTracing tracing = new BenchTracing(context.size())) {
            Business business = new Business(outbox, context.payload());
            int left = PRODUCERS.size();
            for (int producers : PRODUCERS) {
                context.progress(producers + " producers");
                Load load = new Load(outbox, business, producers);
                Contest contest = load.contest(context).share(1.0 / left--);
                if (producers == TRACED_PRODUCERS) {
                    load.trace(contest, tracing);
                }
                lines.addAll(lines(contest.run(), producers));
            }
        }
        return lines;
    }

    /** Producers at an outbox. */
    private record Load(BenchOutbox outbox, Business business, int count) {

        Contest contest(BenchContext context) {
            return new Contest(context)
                    .subject(ALONE, messages -> place(messages, 0))
                    .subject(ONE, messages -> place(messages, 1))
                    .subject(TEN, messages -> place(messages, 10))
                    .subject(RAW, this::insertOnly);
        }

        void trace(Contest contest, BenchTracing tracing) {
            Load off = tracedBy(tracing.off());
            Load sampled = tracedBy(tracing.sampled());
            contest.subject(BenchTracing.OFF, messages -> off.place(messages, 1))
                    .subject(BenchTracing.SAMPLED, messages -> tracing.counted(sampled.place(messages, 1)));
        }

        private Load tracedBy(TraceContext tracing) {
            return new Load(outbox, business.tracedBy(outbox, tracing), count);
        }

        /** The rate is of messages, or of orders where there are no messages. */
        private Round place(int transactions, int messages) throws Exception {
            business.forgetOrders();
            Producers.Output output = producers(transactions).place(business, messages);
            return messages == 0
                    ? new Round(output.perSecond(), output.transactions(), business.orders(), output.span())
                    : delivered(output, messages);
        }

        private Round insertOnly(int transactions) throws Exception {
            return delivered(producers(transactions).insertOnly(business), 1);
        }

        private Producers producers(int transactions) {
            long micros = Math.max(SHORTEST_TURN_MICROS, transactions * MICROS_FOR_A_TRANSACTION);
            return new Producers(count, transactions, Duration.of(micros, ChronoUnit.MICROS));
        }

        /** They are taken out of the outbox by the loop: a relay would take longer to start than some turns take. */
        private Round delivered(Producers.Output output, int each) throws Exception {
            long messages = output.transactions() * each;
            Round drained = LoopDrain.drain(outbox, messages);
            outbox.requireEmpty();
            return new Round(output.perSecond() * each, messages, drained.delivered(), output.span());
        }
    }

    private static List<Measurement> lines(RoundsBySubject rounds, int producers) {
        Rounds alone = rounds.of(ALONE);
        Rounds one = rounds.of(ONE);
        List<Measurement> lines = new ArrayList<>(List.of(
                alone.measured(ALONE).with("producers", producers),
                withMessages(one, alone, producers, 1),
                withMessages(rounds.of(TEN), alone, producers, 10),
                rounds.of(RAW).measured(RAW).with("producers", producers)));
        if (producers == TRACED_PRODUCERS) {
            lines.add(BenchTracing.line(BenchTracing.OFF, rounds, one).with("producers", producers));
            lines.add(BenchTracing.line(BenchTracing.SAMPLED, rounds, one).with("producers", producers));
        }
        return lines;
    }

    private static Measurement withMessages(Rounds rounds, Rounds alone, int producers, int messages) {
        return rounds.measured("postrider")
                .comparedWith(messages * alone.medianRatioTo(rounds), ALONE)
                .with("producers", producers)
                .with("messages_per_transaction", messages);
    }
}
