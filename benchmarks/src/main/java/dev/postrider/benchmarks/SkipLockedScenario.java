package dev.postrider.benchmarks;

import java.util.List;

/** A backlog to a destination that does nothing, against the usual relay over a status column. */
final class SkipLockedScenario implements Scenario {

    @Override
    public List<Result> run(BenchOutbox outbox, Settings settings) throws Exception {
        Rounds relay = new Rounds();
        Rounds usual = new Rounds();
        SkipLockedRelay skipLocked = new SkipLockedRelay(outbox);
        skipLocked.createTable();
        for (int round = 0; round <= settings.rounds(); round++) {
            outbox.seed(settings.messages(), settings.bytes());
            double byRelay = RelayDrain.drain(outbox.store(), settings.messages());
            outbox.requireEmpty();
            skipLocked.seed(settings.messages(), settings.bytes());
            double bySkipLocked = skipLocked.drain(settings.messages());
            if (round > 0) {
                relay.add(byRelay);
                usual.add(bySkipLocked);
            }
        }
        return List.of(
                Result.of("skip-locked", settings.store(), "skip-locked", usual, settings.messages()),
                Result.of(
                        "skip-locked",
                        settings.store(),
                        "postrider",
                        relay,
                        settings.messages(),
                        usual,
                        "skip-locked"));
    }
}
