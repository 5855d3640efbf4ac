package dev.postrider.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The rounds of one subject. Not thread-safe. */
public final class Rounds {

    private final List<Round> rounds = new ArrayList<>();
    private final List<Usage> usages = new ArrayList<>();

    /** One more round, and what it used. */
    public void add(Round round, Usage usage) {
        rounds.add(round);
        usages.add(usage);
    }

    /** How many there are. */
    public int count() {
        return rounds.size();
    }

    public double medianRate() {
        return Median.of(rounds.stream().map(Round::rate).toList());
    }

    /** Round by round, so that what disturbed a round disturbs both alike. */
    public double medianRatioTo(Rounds others) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds.size(); round++) {
            ratios.add(rounds.get(round).rate() / others.rounds.get(round).rate());
        }
        return Median.of(ratios);
    }

    /** These rounds as one line: the median rate, how far the rounds lie apart, and what they used. */
    public Measurement measured(String subject) {
        Measurement line = Measurement.of(subject, medianRate(), sum(Round::messages), sum(Round::delivered))
                .with("rounds", rounds.size());
        return Usage.of(usages).addTo(rounds.size() < 2 ? line : withRange(line));
    }

    private Measurement withRange(Measurement line) {
        return line.with("rate_min", Math.rint(slowest())).with("rate_max", Math.rint(fastest()));
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
}
