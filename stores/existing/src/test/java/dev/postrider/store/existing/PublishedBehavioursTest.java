package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages about behaviours of published outboxes and of their bus name tests that exist, and leave none of the behaviours out. */
class PublishedBehavioursTest {

    private static final List<Path> PAGES = List.of(
            Path.of("../../docs/reference/existing-behaviours.md"), Path.of("../../docs/reference/bus-behaviours.md"));
    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT|Contract))(?:\\.(\\w+))?`");
    private static final Pattern NUMBER = Pattern.compile("(?m)^\\| ([AWF]\\d{3}-\\d{2}) \\|");
    private static final List<Numbers> LISTS = List.of(
            new Numbers("A000", 1, 22),
            new Numbers("W000", 1, 26),
            new Numbers("F000", 1, 18),
            new Numbers("A001", 1, 33),
            new Numbers("A002", 1, 14),
            new Numbers("A003", 1, 11),
            new Numbers("A004", 1, 9));

    @Test
    void namesTestsThatExist() throws IOException {
        Map<String, Path> sources = testSources();
        TreeSet<String> missing = new TreeSet<>();
        for (var named : NAMED.matcher(text()).results().toList()) {
            Path source = sources.get(named.group(1) + ".java");
            String method = named.group(2);
            if (source == null || (method != null && !Files.readString(source).contains("void " + method + "("))) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void leavesNoneOut() throws IOException {
        List<String> all = LISTS.stream().flatMap(Numbers::all).toList();

        assertThat(NUMBER.matcher(text()).results().map(found -> found.group(1)))
                .containsExactlyInAnyOrderElementsOf(all);
    }

    private static String text() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path page : PAGES) {
            text.append(Files.readString(page));
        }
        return text.toString();
    }

    private static Map<String, Path> testSources() throws IOException {
        Map<String, Path> sources = new HashMap<>();
        try (Stream<Path> modules = Files.find(Path.of("../.."), 3, (path, attributes) -> path.endsWith("src"))) {
            for (Path module : modules.toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file -> sources.put(file.getFileName().toString(), file));
                }
            }
        }
        return sources;
    }

    /** Of one list, the numbers that the pages must have. */
    private record Numbers(String list, int first, int last) {

        Stream<String> all() {
            return IntStream.rangeClosed(first, last).mapToObj(number -> "%s-%02d".formatted(list, number));
        }
    }
}
