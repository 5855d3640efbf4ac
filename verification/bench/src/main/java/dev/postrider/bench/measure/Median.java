package dev.postrider.bench.measure;

import java.util.List;

/** The value in the middle, which one disturbed round does not move. Stateless. */
public final class Median {

    private Median() {}

    /** Of at least one value, in any order; of an even number the average of the two in the middle. */
    public static double of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
