package dev.postrider.bench.usage;

import static java.util.Objects.requireNonNull;

import dev.postrider.bench.measure.Span;
import dev.postrider.bench.measure.Usage;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Looks five times a second at what this process, the database and the broker use. Servers that were not started here are not looked
 * at. Close it. Thread-safe.
 */
public final class UsageMonitor implements AutoCloseable {

    private static final long INTERVAL_MILLIS = 200;
    private static final int INTERVALS_PER_SEARCH = 5;
    private static final String CLIENT = "client";

    private final Map<String, ProcessFamily> families = new LinkedHashMap<>();
    private final Supplier<Map<String, Double>> levels;
    private final List<Sample> samples = new ArrayList<>();
    private int intervals;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-usage");
        thread.setDaemon(true);
        return thread;
    });

    private UsageMonitor(Supplier<Map<String, Double>> levels) {
        this.levels = levels;
    }

    /**
     * Begins.
     *
     * @param servers the processes of servers by role, such as {@code database}; empty for those that are elsewhere
     * @param levels what else rises and falls, such as how many connections of a pool are in use, by the names of figures
     */
    public static UsageMonitor start(Map<String, OptionalLong> servers, Supplier<Map<String, Double>> levels) {
        UsageMonitor monitor = new UsageMonitor(levels);
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
        Map<String, Double> now = new LinkedHashMap<>(levels.get());
        now.put(CLIENT + "_heap_mb", megabytes(heapBytes()));
        samples.add(new Sample(System.nanoTime(), readings, Counters.read(), now));
    }

    private static long heapBytes() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** What was used meanwhile. */
    public synchronized Usage during(Span span) {
        families.values().forEach(ProcessFamily::search);
        sample();
        Map<String, Double> figures = new LinkedHashMap<>();
        for (String role : families.keySet()) {
            figures.put(
                    role + "_cpu", growth(span, sample -> sample.reading(role).cpuNanos()) / span.nanos());
            double memory =
                    largest(span, sample -> megabytes(sample.reading(role).memoryKilobytes() << 10));
            if (memory > 0) {
                figures.put(role + "_rss_mb", memory);
            }
        }
        Sample last = samples.get(samples.size() - 1);
        last.levels().keySet().forEach(name -> figures.put(name, largest(span, sample -> level(sample, name))));
        last.counts().keySet().forEach(name -> figures.put(name, growth(span, sample -> count(sample, name))));
        return new Usage(figures);
    }

    private static double level(Sample sample, String name) {
        return sample.levels().getOrDefault(name, 0.0);
    }

    private static double count(Sample sample, String name) {
        return sample.counts().getOrDefault(name, 0.0);
    }

    private double growth(Span span, ToDoubleFunction<Sample> what) {
        return at(span.to(), what) - at(span.from(), what);
    }

    /** Between two samples as much as before and after lets expect. */
    private double at(long moment, ToDoubleFunction<Sample> what) {
        Sample before = samples.get(0);
        for (Sample sample : samples) {
            if (sample.at() >= moment) {
                double from = what.applyAsDouble(before);
                double to = what.applyAsDouble(sample);
                double share =
                        sample.at() == before.at() ? 1 : (double) (moment - before.at()) / (sample.at() - before.at());
                return from + share * (to - from);
            }
            before = sample;
        }
        return what.applyAsDouble(before);
    }

    /** Of the samples in the span, or else of the last one. */
    private double largest(Span span, ToDoubleFunction<Sample> what) {
        return samples.stream()
                .filter(sample -> sample.at() >= span.from() && sample.at() <= span.to())
                .mapToDouble(what)
                .max()
                .orElseGet(() -> what.applyAsDouble(samples.get(samples.size() - 1)));
    }

    private static double megabytes(long bytes) {
        return bytes / 1048576.0;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** Counts that only grow: what the garbage collector took, page faults, context switches. Stateless. */
    private static final class Counters {

        private static final Path THIS_PROCESS = Path.of("/proc/self/stat");
        private static final Path MACHINE = Path.of("/proc/stat");

        /** After the name of the program, which stands in brackets and may hold blanks. */
        private static final int MINOR_FAULTS = 7;

        private static final int MAJOR_FAULTS = 9;
        private static final String SWITCHES = "ctxt ";

        private Counters() {}

        /** By name, until now. What the system does not tell is left out. */
        static Map<String, Double> read() {
            Map<String, Double> counts = new LinkedHashMap<>();
            counts.put("client_gc_ms", (double) collectionMillis());
            for (String line : lines(THIS_PROCESS)) {
                String[] words = line.substring(line.lastIndexOf(')') + 2).split(" ");
                counts.put("client_minor_faults", Double.valueOf(words[MINOR_FAULTS]));
                counts.put("client_major_faults", Double.valueOf(words[MAJOR_FAULTS]));
            }
            lines(MACHINE).stream()
                    .filter(line -> line.startsWith(SWITCHES))
                    .forEach(line ->
                            counts.put("machine_context_switches", Double.valueOf(line.substring(SWITCHES.length()))));
            return counts;
        }

        private static long collectionMillis() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                    .filter(millis -> millis > 0)
                    .sum();
        }

        private static List<String> lines(Path file) {
            try {
                return Files.exists(file) ? Files.readAllLines(file) : List.of();
            } catch (IOException unknown) {
                return List.of();
            }
        }
    }

    /**
     * One look at all processes.
     *
     * @param at by {@link System#nanoTime()}
     * @param readings by role, such as {@code database}
     * @param counts what grows all the time, by name
     * @param levels what rises and falls, by name
     */
    private record Sample(
            long at, Map<String, Reading> readings, Map<String, Double> counts, Map<String, Double> levels) {

        Reading reading(String role) {
            return requireNonNull(readings.get(role));
        }
    }
}
