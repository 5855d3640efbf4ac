package dev.postrider.cli.demo;

import static dev.postrider.internal.Readable.grouped;
import static dev.postrider.internal.Readable.time;

import dev.postrider.bench.measure.Percentiles;
import dev.postrider.cli.output.TextTable;
import dev.postrider.prove.check.Evidence;
import dev.postrider.prove.check.Verdict;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The end of a demo in numbers for scripts and a dozen lines for people. */
final class DemoTable {

    private static final int EXAMPLES = 3;

    private final Demo demo;
    private final DemoRelays relays;
    private final int committed;
    private final int dead;
    private final Verdict verdict;
    private final Percentiles delays;

    /** @param deadIds the ids of dead letters */
    DemoTable(Demo demo, DemoRelays relays, Evidence all, Set<String> deadIds) {
        Evidence evidence = all.withoutDead(deadIds);
        long[] delays = demo.delays();
        this.demo = demo;
        this.relays = relays;
        this.committed = all.committed().size();
        this.dead = committed - evidence.committed().size();
        this.verdict = Verdict.of(evidence);
        this.delays = new Percentiles(delays.length == 0 ? new long[1] : delays);
    }

    DemoResult result(Duration took) {
        return new DemoResult(lines(took), numbers(), verdict.holds());
    }

    private Map<String, Long> numbers() {
        Map<String, Long> numbers = new LinkedHashMap<>();
        numbers.put("committed", (long) committed);
        numbers.put("delivered", (long) verdict.delivered());
        numbers.put("dead", (long) dead);
        numbers.put("lost", (long) verdict.lost().size());
        numbers.put("duplicates", (long) verdict.duplicates());
        numbers.put("out_of_order", (long) verdict.outOfOrder().size());
        numbers.put("p50_ms", delay(0.50).toMillis());
        numbers.put("p99_ms", delay(0.99).toMillis());
        return numbers;
    }

    private List<String> lines(Duration took) {
        TextTable table = new TextTable()
                .row("orders", grouped(demo.orders().placed()))
                .row("transactions", transactions(demo.orders()))
                .row("events committed", grouped(committed))
                .row("delivered", grouped(verdict.delivered()))
                .row("dead letters", grouped(dead))
                .row("failed once, retried", grouped(demo.failedOnce()))
                .row("duplicates", grouped(verdict.duplicates()))
                .row("lost", withExamples(verdict.lost()))
                .row("out of order", withExamples(verdict.outOfOrder()))
                .row("sent without commit", withExamples(verdict.phantoms()))
                .row("killed", killed())
                .row("commit to arrival", delays())
                .row("time", time(took));
        if (!relays.troubles().isEmpty()) {
            table.row("unexpected", withExamples(relays.troubles()));
        }
        return table.lines();
    }

    private static String transactions(Orders orders) {
        return "%s committed, %s rolled back, %s rolled back to a savepoint"
                .formatted(
                        grouped(orders.transactions()),
                        grouped(orders.rollbacks()),
                        grouped(orders.savepointRollbacks()));
    }

    private String killed() {
        String takeOver =
                relays.takeOver().map(took -> "taken over after " + time(took)).orElse("not taken over");
        return "relay %s with %s lanes, %s".formatted(DemoRelays.VICTIM, relays.lanesOfVictim(), takeOver);
    }

    private String delays() {
        return "half within %s, 99 of 100 within %s, all within %s"
                .formatted(time(delay(0.5)), time(delay(0.99)), time(delay(1)));
    }

    private Duration delay(double share) {
        return Duration.ofMillis((long) delays.millis(share));
    }

    private static String withExamples(List<?> all) {
        String examples = all.isEmpty() ? "" : ", such as " + all.subList(0, Math.min(EXAMPLES, all.size()));
        return grouped(all.size()) + examples;
    }
}
