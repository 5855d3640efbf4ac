package dev.postrider.bench.measure;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What processes used while something was measured, by the names of figures: {@code client_cpu} is how many processors the
 * client used on average, {@code database_rss_mb} the most memory that the database had.
 */
public record Usage(Map<String, Double> figures) {

    /** Nothing is known. */
    public static final Usage UNKNOWN = new Usage(Map.of());

    private static final String CPU = "_cpu";

    /** What is counted, as opposed to what rises and falls. */
    private static final Pattern COUNT = Pattern.compile(".*(_gc_ms|_faults|_switches)");

    /** Of several rounds: the average of processors, the sum of what is counted, the largest of memory and connections. */
    static Usage of(Collection<Usage> rounds) {
        Map<String, Double> all = new LinkedHashMap<>();
        for (Usage round : rounds) {
            round.figures.forEach((name, value) -> all.merge(name, value, isSum(name) ? Double::sum : Math::max));
        }
        all.replaceAll((name, value) -> name.endsWith(CPU) ? value / rounds.size() : value);
        return new Usage(all);
    }

    private static boolean isSum(String name) {
        return name.endsWith(CPU) || COUNT.matcher(name).matches();
    }

    /** The measurement with these figures. */
    public Measurement addTo(Measurement measurement) {
        Measurement line = measurement;
        for (Map.Entry<String, Double> figure : figures.entrySet()) {
            line = line.with(figure.getKey(), rounded(figure.getKey(), figure.getValue()));
        }
        return line;
    }

    private static Object rounded(String name, double value) {
        return name.endsWith(CPU) ? Math.rint(value * 100) / 100 : (Object) Math.round(value);
    }
}
