package dev.postrider.cli.demo;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a demo ended.
 *
 * @param table for people
 * @param numbers for scripts, by name
 * @param isGood whether nothing was lost, out of order, or sent without having been committed
 */
public record DemoResult(List<String> table, Map<String, Long> numbers, boolean isGood) {

    /** The numbers in one line. */
    public String lastLine() {
        return numbers.entrySet().stream().map(Object::toString).collect(Collectors.joining(" ", "demo: ", ""));
    }
}
