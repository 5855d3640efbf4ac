package dev.postrider.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of docs/reference/options.md, by builder. */
record OptionsPage(Map<String, List<OptionsPage.Row>> sections) {

    private static final Pattern HEADING = Pattern.compile("#+ `(\\w+\\.\\w+)`.*");
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| (.*?) \\| (.*?) \\| (.*) \\|");

    static OptionsPage read() {
        Map<String, List<Row>> sections = new TreeMap<>();
        List<Row> current = new ArrayList<>();
        for (String line : lines()) {
            Matcher heading = HEADING.matcher(line);
            Matcher row = ROW.matcher(line);
            if (heading.matches()) {
                current = new ArrayList<>();
                sections.put(heading.group(1), current);
            } else if (line.startsWith("#")) {
                current = new ArrayList<>();
            } else if (row.matches()) {
                current.add(new Row(row.group(1), row.group(2), row.group(3)));
            }
        }
        return new OptionsPage(sections);
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(Path.of("..", "..", "docs", "reference", "options.md"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** One option as the page has it. */
    record Row(String option, String defaultValue, String range) {

        private static final String POSITIVE = "more than 0";

        /** The least and the greatest value that are allowed; empty for an option that is no number or time. */
        List<Object> edges(Method setter) {
            Class<?> type = setter.getParameterTypes()[0];
            if (range.equals(POSITIVE)) {
                return List.of(Duration.ofNanos(1));
            }
            return isMeasured(type) ? List.of(edge(type, 0), edge(type, 1)) : List.of();
        }

        /** The nearest values that are not allowed. */
        List<Object> refused(Method setter) {
            Class<?> type = setter.getParameterTypes()[0];
            if (range.equals(POSITIVE)) {
                return List.of(Duration.ZERO);
            }
            if (!isMeasured(type)) {
                return List.of();
            }
            return List.of(step(edge(type, 0), -1), step(edge(type, 1), 1));
        }

        private static boolean isMeasured(Class<?> type) {
            return type == int.class || type == long.class || type == Duration.class;
        }

        private Object edge(Class<?> type, int which) {
            String words = range.split(" to ")[which];
            if (type == Duration.class) {
                return Words.duration(words);
            }
            long number = Words.number(words);
            return type == int.class ? (Object) Math.toIntExact(number) : (Object) number;
        }

        private static Object step(Object edge, int by) {
            if (edge instanceof Duration duration) {
                return duration.plusNanos(by);
            }
            return edge instanceof Integer number ? (Object) (number + by) : (Object) ((long) edge + by);
        }
    }
}
