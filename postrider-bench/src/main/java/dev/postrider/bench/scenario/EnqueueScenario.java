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
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.RelayDrain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the outbox costs a service: business transactions without it, against the same with messages enqueued. The ratio is how many
 * times as long a transaction takes. Messages alone, inserted with auto-commit, are the limit of what the database takes.
 */
final class EnqueueScenario implements Scenario {

    private static final List<Integer> PRODUCERS = List.of(1, 2, 4, 8);
    private static final String ALONE = "business-only";
    private static final String RAW = "raw-insert";

    @Override
    public String name() {
        return "enqueue";
    }

    @Override
    public String description() {
        return "business transactions with 1 and 10 messages, against the same without an outbox; 1 to 8 producers";
    }

    @Override
    public Size size() {
        return new Size(100_000, 512, 7);
    }

    @Override
    public Size quickSize() {
        return new Size(10_000, 512, 2);
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        List<Measurement> lines = new ArrayList<>();
        try (BenchOutbox outbox = context.openOutbox()) {
            Business business = new Business(outbox, context.payload());
            for (int producers : PRODUCERS) {
                Duration time = Duration.ofMillis(context.isQuick() ? 400 : 2_000);
                Load load = new Load(
                        outbox,
                        business,
                        new Producers(producers, context.size().messages(), time));
                context.progress(producers + " producers");
                lines.addAll(lines(load.contest(context).run(), producers));
            }
        }
        return lines;
    }

    /** Producers at an outbox. */
    private record Load(BenchOutbox outbox, Business business, Producers producers) {

        Contest contest(BenchContext context) {
            return new Contest(context)
                    .subject(ALONE, () -> place(0))
                    .subject("1", () -> place(1))
                    .subject("10", () -> place(10))
                    .subject(RAW, this::insertOnly);
        }

        /** The rate is of messages, or of orders where there are no messages. */
        private Round place(int messages) throws Exception {
            business.forgetOrders();
            Producers.Output output = producers.place(business, messages);
            return messages == 0
                    ? new Round(output.perSecond(), output.transactions(), business.orders(), output.span())
                    : delivered(output, messages);
        }

        private Round insertOnly() throws Exception {
            return delivered(producers.insertOnly(business), 1);
        }

        private Round delivered(Producers.Output output, int each) throws Exception {
            long messages = output.transactions() * each;
            Round drained = RelayDrain.drain(outbox.store(), messages);
            outbox.requireEmpty();
            return new Round(output.perSecond() * each, messages, drained.delivered(), output.span());
        }
    }

    private static List<Measurement> lines(Map<String, Rounds> rounds, int producers) {
        Rounds alone = rounds.get(ALONE);
        return List.of(
                alone.measured(ALONE).with("producers", producers),
                withMessages(rounds.get("1"), alone, producers, 1),
                withMessages(rounds.get("10"), alone, producers, 10),
                rounds.get(RAW).measured(RAW).with("producers", producers));
    }

    private static Measurement withMessages(Rounds rounds, Rounds alone, int producers, int messages) {
        return rounds.measured("postrider")
                .comparedWith(messages * alone.medianRatioTo(rounds), ALONE)
                .with("producers", producers)
                .with("messages_per_transaction", messages);
    }
}
