package dev.postrider.bench.measure;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A line of results: what was measured, where.
 *
 * @param fields by name, in order: texts and numbers
 */
public record Result(Map<String, Object> fields) {

    /** The fields that many results have, in the order in which they are shown. */
    public static final List<String> COMMON = List.of(
            "scenario",
            "store",
            "subject",
            "rate",
            "ratio",
            "ratio_to",
            "offered_rate",
            "p50_ms",
            "p95_ms",
            "p99_ms",
            "max_ms",
            "messages",
            "delivered");

    /** @throws BenchException if a message is missing or came twice */
    public static Result of(String scenario, String store, Measurement measured) {
        if (measured.delivered() != measured.messages()) {
            throw new BenchException("%s on %s: %d of %d messages of %s were delivered"
                    .formatted(scenario, store, measured.delivered(), measured.messages(), measured.subject()));
        }
        Map<String, Object> all = new LinkedHashMap<>(measured.figures());
        all.put("scenario", scenario);
        all.put("store", store);
        all.put("subject", measured.subject());
        all.put("rate", measured.rate());
        all.put("messages", measured.messages());
        all.put("delivered", measured.delivered());
        return new Result(sorted(all));
    }

    private static Map<String, Object> sorted(Map<String, Object> all) {
        List<String> names = new ArrayList<>(COMMON);
        names.retainAll(all.keySet());
        all.keySet().stream().filter(name -> !COMMON.contains(name)).forEach(names::add);
        Map<String, Object> sorted = new LinkedHashMap<>();
        names.forEach(name -> sorted.put(name, rounded(requireNonNull(all.get(name)))));
        return sorted;
    }

    /** Five digits are more than any of this is worth. */
    private static Object rounded(Object value) {
        return value instanceof Double number
                ? new BigDecimal(number).round(new MathContext(5)).doubleValue()
                : value;
    }

    /** The same with one more field. */
    public Result with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(name, rounded(value));
        return new Result(more);
    }

    public String text(String name) {
        return String.valueOf(fields.getOrDefault(name, ""));
    }

    /** A number; zero if there is none. */
    public double number(String name) {
        return fields.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    public boolean has(String name) {
        return fields.containsKey(name);
    }
}
