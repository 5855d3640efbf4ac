package dev.postrider.cli.demo;

import static dev.postrider.internal.Readable.grouped;
import static dev.postrider.internal.Readable.time;

import dev.postrider.cli.output.TextTable;
import java.time.Duration;
import java.util.List;

/** The end of a demo in a dozen lines. */
final class DemoTable {

    private static final int EXAMPLES = 3;

    private DemoTable() {}

    static List<String> lines(DemoSettings settings, DemoParts parts, DeliveryCount count, Duration took) {
        TextTable table = new TextTable()
                .row("orders", grouped(settings.orders()))
                .row("transactions", transactions(parts.ledger()))
                .row("events committed", grouped(count.committed()))
                .row("delivered", grouped(count.delivered()))
                .row("dead letters", grouped(count.dead()))
                .row("failed once, retried", grouped(parts.failedOnce()))
                .row("duplicates", grouped(count.duplicates()))
                .row("lost", grouped(count.lost()) + examples(count.lostEvents()))
                .row("out of order", grouped(count.outOfOrder()))
                .row("sent without commit", grouped(count.neverCommitted()))
                .row("killed", killed(parts.fleet()))
                .row("commit to arrival", delays(count.delays()))
                .row("time", time(took));
        List<String> troubles = parts.fleet().watch().troubles();
        if (!troubles.isEmpty()) {
            table.row("unexpected", grouped(troubles.size()) + examples(troubles));
        }
        return table.lines();
    }

    private static String transactions(Ledger ledger) {
        return "%s committed, %s rolled back, %s rolled back to a savepoint"
                .formatted(
                        grouped(ledger.transactionCount()),
                        grouped(ledger.rollbackCount()),
                        grouped(ledger.savepointRollbackCount()));
    }

    private static String killed(RelayFleet fleet) {
        TakeOver takeOver = fleet.takeOver();
        return "relay %s with %s lanes, %s"
                .formatted(
                        fleet.victim(),
                        takeOver.lanes(),
                        takeOver.took()
                                .map(took -> "taken over after " + time(took))
                                .orElse("not taken over"));
    }

    private static String delays(Percentiles delays) {
        return "half within %s, 99 of 100 within %s, all within %s"
                .formatted(time(delays.median()), time(delays.p99()), time(delays.highest()));
    }

    private static String examples(List<?> all) {
        return all.isEmpty() ? "" : ", such as " + all.subList(0, Math.min(EXAMPLES, all.size()));
    }
}
