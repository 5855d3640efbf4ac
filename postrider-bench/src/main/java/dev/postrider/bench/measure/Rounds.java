package dev.postrider.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The rounds of one subject. Not thread-safe. */
public final class Rounds {

    private final List<Round> rounds = new ArrayList<>();

    public void add(Round round) {
        rounds.add(round);
    }

    public double medianRate() {
        return median(rounds.stream().map(Round::rate).toList());
    }

    /** Round by round, so that what disturbed a round disturbs both alike. */
    public double medianRatioTo(Rounds others) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds.size(); round++) {
            ratios.add(rounds.get(round).rate() / others.rounds.get(round).rate());
        }
        return median(ratios);
    }

    /** These rounds as one line: the median rate, and how far the rounds lie apart. */
    public Measurement measured(String subject) {
        Measurement line = Measurement.of(subject, medianRate(), sum(Round::messages), sum(Round::delivered))
                .with("rounds", rounds.size());
        return rounds.size() < 2
                ? line
                : line.with("rate_min", Math.rint(slowest())).with("rate_max", Math.rint(fastest()));
    }

    private double slowest() {
        return rounds.stream().mapToDouble(Round::rate).min().orElseThrow();
    }

    private double fastest() {
        return rounds.stream().mapToDouble(Round::rate).max().orElseThrow();
    }

    private long sum(ToLongFunction<Round> part) {
        return rounds.stream().mapToLong(part).sum();
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
