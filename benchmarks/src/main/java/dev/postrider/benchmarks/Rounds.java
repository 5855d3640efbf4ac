package dev.postrider.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** The rates of one subject, one for each round. */
final class Rounds {

    private final List<Double> rates = new ArrayList<>();

    void add(double rate) {
        rates.add(rate);
    }

    double median() {
        return median(rates);
    }

    /** Round by round, so that what disturbed a round disturbs both alike. */
    double medianRatioTo(Rounds others) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rates.size(); round++) {
            ratios.add(rates.get(round) / others.rates.get(round));
        }
        return median(ratios);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
