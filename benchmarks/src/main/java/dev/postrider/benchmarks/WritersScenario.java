package dev.postrider.benchmarks;

import dev.postrider.relay.Relay;
import java.util.List;

/** How many messages writers enqueue, one in each transaction, while a relay runs, against the same without a relay. */
final class WritersScenario implements Scenario {

    @Override
    public List<Result> run(BenchOutbox outbox, Settings settings) throws Exception {
        Rounds without = new Rounds();
        Rounds with = new Rounds();
        int messages = settings.messages();
        for (int round = 0; round <= settings.rounds(); round++) {
            double alone = Writers.rate(outbox, messages, settings.bytes());
            RelayDrain.drain(outbox.store(), messages);
            double together = withRelay(outbox, settings);
            if (round > 0) {
                without.add(alone);
                with.add(together);
            }
        }
        return List.of(
                Result.of("writers", settings.store(), "without-relay", without, messages),
                Result.of("writers", settings.store(), "postrider", with, messages, without, "without-relay"));
    }

    private static double withRelay(BenchOutbox outbox, Settings settings) throws Exception {
        double rate;
        try (Relay relay = Relay.withDefaults(outbox.store(), RelayDrain.nowhere())) {
            relay.start();
            rate = Writers.rate(outbox, settings.messages(), settings.bytes());
        }
        RelayDrain.empty(outbox.store());
        outbox.requireEmpty();
        return rate;
    }
}
