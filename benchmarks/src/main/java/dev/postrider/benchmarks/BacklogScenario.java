package dev.postrider.benchmarks;

import java.util.List;

/**
 * What it costs to fetch a message from a large backlog, against a small one of a fiftieth to a hundredth of its size.
 *
 * <p>The rates are messages per second of fetching alone. In each round a new relay delivers about as many messages of the large
 * backlog as the small one has.
 */
final class BacklogScenario implements Scenario {

    private static final int SMALL = 20_000;

    @Override
    public List<Result> run(BenchOutbox outbox, Settings settings) throws Exception {
        int small = Math.min(SMALL, settings.messages());
        Rounds ofSmall = new Rounds();
        Rounds ofLarge = new Rounds();
        try (BenchOutbox large = outbox.sibling()) {
            large.seed(settings.messages(), settings.bytes());
            for (int round = 0; round <= settings.rounds(); round++) {
                outbox.seed(small, settings.bytes());
                double fromSmall = FetchCost.rate(outbox.store(), small);
                double fromLarge = FetchCost.rate(large.store(), small);
                large.seed(small, settings.bytes());
                if (round > 0) {
                    ofSmall.add(fromSmall);
                    ofLarge.add(fromLarge);
                }
            }
        }
        return List.of(
                Result.of("backlog", settings.store(), "small-backlog", ofSmall, small),
                Result.of(
                        "backlog",
                        settings.store(),
                        "postrider",
                        ofLarge,
                        settings.messages(),
                        ofSmall,
                        "small-backlog"));
    }
}
