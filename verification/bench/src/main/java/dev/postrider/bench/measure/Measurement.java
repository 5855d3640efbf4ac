package dev.postrider.bench.measure;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a scenario found out about one subject.
 *
 * @param subject such as {@code postrider} or {@code jdbc-loop}
 * @param rate messages per second
 * @param messages how many there were in all rounds that count
 * @param delivered how many of them arrived, as their destination counted them
 * @param figures what else there is to say, by name, in order: numbers and short texts
 */
public record Measurement(String subject, double rate, long messages, long delivered, Map<String, Object> figures) {

    public static Measurement of(String subject, double rate, long messages, long delivered) {
        return new Measurement(subject, rate, messages, delivered, Map.of());
    }

    /** The same, compared with another subject of the same run. */
    public Measurement comparedWith(double ratio, String to) {
        return with("ratio", ratio).with("ratio_to", to);
    }

    /** A figure that is a number and is there. */
    public double number(String name) {
        return ((Number) requireNonNull(figures.get(name), name)).doubleValue();
    }

    /** The same with one more figure. */
    public Measurement with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(figures);
        more.put(name, value);
        return new Measurement(subject, rate, messages, delivered, more);
    }
}
