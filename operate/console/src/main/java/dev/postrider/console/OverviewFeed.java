package dev.postrider.console;

import dev.postrider.service.operation.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** How all outboxes stand, again and again; ends after some minutes, so that whoever reads must say again who he is. For one thread. */
final class OverviewFeed implements Feed {

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Supplier<Map<String, Object>> overview;
    private final long startedAt = System.nanoTime();
    private boolean hasBegun;

    OverviewFeed(Supplier<Map<String, Object>> overview) {
        this.overview = overview;
    }

    @Override
    public Optional<byte[]> next() throws InterruptedException {
        if (System.nanoTime() - startedAt > LONGEST.toNanos()) {
            return Optional.empty();
        }
        if (hasBegun) {
            Thread.sleep(WatchedOutbox.INTERVAL.toMillis());
        }
        hasBegun = true;
        return Optional.of((Json.write(overview.get()) + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
