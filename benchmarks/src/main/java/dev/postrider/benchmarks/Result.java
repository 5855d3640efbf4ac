package dev.postrider.benchmarks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What was measured of one subject.
 *
 * @param rate messages per second, the median of the rounds
 * @param messages how many messages a round had
 * @param comparison the ratio to another subject, the median of the rounds' own ratios
 * @param figures what else there is to say, by name, in order
 */
record Result(
        String scenario,
        BenchStore store,
        String subject,
        double rate,
        long messages,
        Optional<Ratio> comparison,
        Map<String, Number> figures) {

    /** A rate divided by that of another subject in the same round. */
    record Ratio(double value, String to) {}

    static Result of(String scenario, BenchStore store, String subject, Rounds rounds, long messages) {
        return of(scenario, store, subject, rounds.median(), messages);
    }

    static Result of(String scenario, BenchStore store, String subject, double rate, long messages) {
        return new Result(scenario, store, subject, rate, messages, Optional.empty(), Map.of());
    }

    /** The same, compared with another subject of the same rounds. */
    static Result of(
            String scenario, BenchStore store, String subject, Rounds rounds, long messages, Rounds others, String to) {
        return of(scenario, store, subject, rounds, messages).comparedWith(rounds.medianRatioTo(others), to);
    }

    Result comparedWith(double ratio, String to) {
        return new Result(scenario, store, subject, rate, messages, Optional.of(new Ratio(ratio, to)), figures);
    }

    Result with(String name, Number value) {
        Map<String, Number> more = new LinkedHashMap<>(figures);
        more.put(name, value);
        return new Result(scenario, store, subject, rate, messages, comparison, more);
    }

    String toJson() {
        StringBuilder more = new StringBuilder();
        comparison.ifPresent(ratio -> more.append(
                String.format(Locale.ROOT, ",\"ratio\":%.3f,\"ratio_to\":\"%s\"", ratio.value(), ratio.to())));
        figures.forEach((name, value) -> more.append(
                value instanceof Double number
                        ? String.format(Locale.ROOT, ",\"%s\":%.3f", name, number)
                        : ",\"" + name + "\":" + value));
        return String.format(
                Locale.ROOT,
                "{\"scenario\":\"%s\",\"store\":\"%s\",\"subject\":\"%s\",\"rate\":%.0f,\"messages\":%d%s}",
                scenario,
                store.label(),
                subject,
                rate,
                messages,
                more);
    }
}
