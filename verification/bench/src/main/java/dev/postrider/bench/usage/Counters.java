package dev.postrider.bench.usage;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts that only grow: what the garbage collector took, page faults, context switches. Stateless. */
final class Counters {

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
