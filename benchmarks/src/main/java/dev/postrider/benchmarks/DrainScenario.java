package dev.postrider.benchmarks;

import java.util.List;

/** A backlog to a destination that does nothing, against the same by hand. */
final class DrainScenario implements Scenario {

    @Override
    public List<Result> run(BenchOutbox outbox, Settings settings) throws Exception {
        Rounds relay = new Rounds();
        Rounds loop = new Rounds();
        for (int round = 0; round <= settings.rounds(); round++) {
            outbox.seed(settings.messages(), settings.bytes());
            double byRelay = RelayDrain.drain(outbox.store(), settings.messages());
            outbox.requireEmpty();
            outbox.seed(settings.messages(), settings.bytes());
            double byLoop = LoopDrain.drain(outbox, settings.messages());
            if (round > 0) {
                relay.add(byRelay);
                loop.add(byLoop);
            }
        }
        return List.of(
                Result.of("drain", settings.store(), "jdbc-loop", loop, settings.messages()),
                Result.of("drain", settings.store(), "postrider", relay, settings.messages(), loop, "jdbc-loop"));
    }
}
