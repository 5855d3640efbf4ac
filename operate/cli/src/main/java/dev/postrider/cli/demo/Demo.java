package dev.postrider.cli.demo;

import static dev.postrider.internal.Readable.grouped;

import dev.postrider.cli.output.Progress;
import java.time.Duration;
import java.util.List;

/**
 * Runs the demo: an order service writes, relays deliver, one of them is killed, and the result is counted.
 *
 * <p>Everything is embedded and gone afterwards, except for the threads of the killed relay, which hang as daemons.
 */
public final class Demo {

    private static final long TICK_MILLIS = 20;
    private static final Duration START_LIMIT = Duration.ofSeconds(10);

    /** Without any progress for so long, what is missing counts as lost. */
    private static final Duration STUCK_AFTER = Duration.ofSeconds(30);

    private final DemoSettings settings;
    private final Progress progress;
    private final long eventCount;
    private long shownAt;

    public Demo(DemoSettings settings, Progress progress) {
        this.settings = settings;
        this.progress = progress;
        this.eventCount = new OrderScript(settings.orders()).eventCount();
        this.shownAt = System.nanoTime();
    }

    /** Takes some seconds. */
    public DemoResult run() throws InterruptedException {
        long start = System.nanoTime();
        try (DemoDatabase database = new DemoDatabase()) {
            DemoParts parts = DemoParts.start(settings, database);
            awaitRelays(parts);
            parts.startWriting();
            awaitEnd(parts);
            parts.stop();
            show(parts);
            return result(parts, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /** Until every relay has work, so that the kill hits one that works. */
    private void awaitRelays(DemoParts parts) throws InterruptedException {
        StallClock clock = new StallClock(START_LIMIT);
        while (!parts.fleet().isShared() && !clock.isStalled(0)) {
            Thread.sleep(TICK_MILLIS);
        }
    }

    private void awaitEnd(DemoParts parts) throws InterruptedException {
        StallClock clock = new StallClock(STUCK_AFTER);
        while (!parts.isFinished() && !clock.isStalled(parts.steps())) {
            if (System.nanoTime() - shownAt >= progress.interval().toNanos()) {
                show(parts);
            }
            Thread.sleep(TICK_MILLIS);
        }
    }

    private void show(DemoParts parts) {
        shownAt = System.nanoTime();
        int placed = parts.writers().ordersPlaced();
        int committed = parts.ledger().eventCount();
        int delivered = parts.arrivals().distinctCount();
        double ended = delivered + parts.fleet().watch().deadCount();
        progress.show(
                ended / eventCount,
                List.of(
                        "orders " + grouped(placed) + " of " + grouped(settings.orders()),
                        "events " + grouped(committed) + " committed, " + grouped(delivered) + " delivered",
                        "relays " + parts.fleet()));
    }

    private DemoResult result(DemoParts parts, Duration took) {
        DeliveryCount count =
                DeliveryCheck.count(parts.ledger().events(), parts.arrivals().arrivals(), parts.deadLetters());
        return new DemoResult(DemoTable.lines(settings, parts, count, took), count.numbers(), count.isGood());
    }
}
