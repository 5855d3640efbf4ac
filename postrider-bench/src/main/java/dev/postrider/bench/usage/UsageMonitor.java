package dev.postrider.bench.usage;

import dev.postrider.bench.measure.Span;
import dev.postrider.bench.measure.Usage;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Looks five times a second at what this process, the database and the broker use. Servers that were not started here are not looked
 * at. Close it. Thread-safe.
 */
public final class UsageMonitor implements AutoCloseable {

    private static final long INTERVAL_MILLIS = 200;
    private static final int INTERVALS_PER_SEARCH = 5;
    private static final String CLIENT = "client";

    private final Map<String, ProcessFamily> families = new LinkedHashMap<>();
    private final List<Sample> samples = new ArrayList<>();
    private int intervals;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-usage");
        thread.setDaemon(true);
        return thread;
    });

    private UsageMonitor() {}

    /**
     * Begins.
     *
     * @param servers the processes of servers by role, such as {@code database}; empty for those that are elsewhere
     */
    public static UsageMonitor start(Map<String, OptionalLong> servers) {
        UsageMonitor monitor = new UsageMonitor();
        monitor.families.put(CLIENT, ProcessFamily.ofThisProcess());
        servers.forEach((role, pid) ->
                pid.stream().boxed().flatMap(ProcessFamily::of).forEach(family -> monitor.families.put(role, family)));
        var unused =
                monitor.timer.scheduleAtFixedRate(monitor::nextInterval, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        return monitor;
    }

    private synchronized void nextInterval() {
        if (intervals++ % INTERVALS_PER_SEARCH == 0) {
            families.values().forEach(ProcessFamily::search);
        }
        sample();
    }

    private void sample() {
        Map<String, Reading> readings = new LinkedHashMap<>();
        families.forEach((role, family) -> readings.put(role, family.read()));
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        samples.add(new Sample(System.nanoTime(), readings, heap));
    }

    /** What was used meanwhile. */
    public synchronized Usage during(Span span) {
        families.values().forEach(ProcessFamily::search);
        sample();
        Map<String, Double> figures = new LinkedHashMap<>();
        for (String role : families.keySet()) {
            figures.put(role + "_cpu", (cpuAt(role, span.to()) - cpuAt(role, span.from())) / span.nanos());
            addMegabytes(
                    figures,
                    role + "_rss_mb",
                    largest(span, sample -> sample.readings().get(role).memoryKilobytes() << 10));
        }
        addMegabytes(figures, CLIENT + "_heap_mb", largest(span, Sample::heapBytes));
        return new Usage(figures);
    }

    /** Between two samples as much as before and after lets expect. */
    private double cpuAt(String role, long moment) {
        Sample before = samples.get(0);
        for (Sample sample : samples) {
            if (sample.at() >= moment) {
                long from = before.readings().get(role).cpuNanos();
                long to = sample.readings().get(role).cpuNanos();
                double share =
                        sample.at() == before.at() ? 1 : (double) (moment - before.at()) / (sample.at() - before.at());
                return from + share * (to - from);
            }
            before = sample;
        }
        return before.readings().get(role).cpuNanos();
    }

    /** Of the samples in the span, or else of the last one. */
    private long largest(Span span, ToLongFunction<Sample> what) {
        return samples.stream()
                .filter(sample -> sample.at() >= span.from() && sample.at() <= span.to())
                .mapToLong(what)
                .max()
                .orElseGet(() -> what.applyAsLong(samples.get(samples.size() - 1)));
    }

    private static void addMegabytes(Map<String, Double> figures, String name, long bytes) {
        if (bytes > 0) {
            figures.put(name, bytes / 1048576.0);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
