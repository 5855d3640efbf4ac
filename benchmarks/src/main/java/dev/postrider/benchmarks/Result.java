package dev.postrider.benchmarks;

import java.util.Locale;
import java.util.Optional;

/**
 * What was measured of one subject.
 *
 * @param rate messages per second, the median of the rounds
 * @param messages how many messages a round had
 * @param comparison the ratio to another subject, the median of the rounds' own ratios
 */
record Result(
        String scenario, BenchStore store, String subject, double rate, long messages, Optional<Ratio> comparison) {

    /** A rate divided by that of another subject in the same round. */
    record Ratio(double value, String to) {}

    static Result of(String scenario, BenchStore store, String subject, Rounds rounds, long messages) {
        return new Result(scenario, store, subject, rounds.median(), messages, Optional.empty());
    }

    /** The same, compared with another subject of the same rounds. */
    static Result of(
            String scenario, BenchStore store, String subject, Rounds rounds, long messages, Rounds others, String to) {
        Ratio ratio = new Ratio(rounds.medianRatioTo(others), to);
        return new Result(scenario, store, subject, rounds.median(), messages, Optional.of(ratio));
    }

    String toJson() {
        String compared = comparison
                .map(ratio -> ",\"ratio\":%.3f,\"ratio_to\":\"%s\"".formatted(ratio.value(), ratio.to()))
                .orElse("");
        return String.format(
                Locale.ROOT,
                "{\"scenario\":\"%s\",\"store\":\"%s\",\"subject\":\"%s\",\"rate\":%.0f,\"messages\":%d%s}",
                scenario,
                store.label(),
                subject,
                rate,
                messages,
                compared);
    }
}
