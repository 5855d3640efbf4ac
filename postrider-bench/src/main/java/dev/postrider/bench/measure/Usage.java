package dev.postrider.bench.measure;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What processes used while something was measured, by the names of figures: {@code client_cpu} is how many processors the
 * client used on average, {@code database_rss_mb} the most memory that the database had.
 */
public record Usage(Map<String, Double> figures) {

    /** Nothing is known. */
    public static final Usage UNKNOWN = new Usage(Map.of());

    private static final String CPU = "_cpu";

    /** Of several rounds: the average of processors, the largest of memory. */
    static Usage of(Collection<Usage> rounds) {
        Map<String, Double> all = new LinkedHashMap<>();
        for (Usage round : rounds) {
            round.figures.forEach(
                    (name, value) -> all.merge(name, value, name.endsWith(CPU) ? Double::sum : Math::max));
        }
        all.replaceAll((name, value) -> name.endsWith(CPU) ? value / rounds.size() : value);
        return new Usage(all);
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
