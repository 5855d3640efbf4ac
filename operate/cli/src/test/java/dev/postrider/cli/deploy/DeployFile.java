package dev.postrider.cli.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A file under deploy/, as text and, if it is YAML or JSON, as what it holds. */
record DeployFile(Path path) {

    static final Path DIRECTORY =
            Path.of("").toAbsolutePath().getParent().getParent().resolve("deploy");

    static DeployFile of(String name) {
        return new DeployFile(DIRECTORY.resolve(name));
    }

    static List<DeployFile> all() {
        try (Stream<Path> files = Files.walk(DIRECTORY)) {
            return files.filter(Files::isRegularFile)
                    .sorted()
                    .map(DeployFile::new)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    boolean isYaml() {
        String name = path.toString();
        return name.endsWith(".yaml") || name.endsWith(".json");
    }

    String text() {
        try {
            return Files.readString(path);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Of the only document in it. */
    Object content() {
        return new Load(LoadSettings.builder().setLabel(path.toString()).build()).loadFromString(text());
    }

    /** What lies at this place, a dot between the names; a number counts in a list. */
    Object at(String place) {
        Object found = content();
        for (String name : place.split("\\.(?![^\\[]*])")) {
            found = found instanceof List<?> list
                    ? list.get(Integer.parseInt(name))
                    : ((Map<?, ?>) found).get(name.replaceAll("[\\[\\]]", ""));
            if (found == null) {
                throw new IllegalStateException(path + " has no " + name + " of " + place);
            }
        }
        return found;
    }

    List<String> listAt(String place) {
        return ((List<?>) at(place)).stream().map(String::valueOf).toList();
    }

    /** Everything that stands anywhere under this key. */
    List<Object> under(String key) {
        List<Object> found = new ArrayList<>();
        collect(content(), key, found);
        return found;
    }

    private static void collect(Object node, String key, List<Object> found) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if (name.equals(key)) {
                    found.add(value);
                }
                collect(value, key, found);
            });
        } else if (node instanceof List<?> list) {
            list.forEach(element -> collect(element, key, found));
        }
    }

    /** The first group of every match, or the match itself. */
    Stream<String> find(String pattern) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text())
                .results()
                .map(DeployFile::wanted);
    }

    private static String wanted(MatchResult found) {
        return found.groupCount() == 0 ? found.group() : found.group(1);
    }

    @Override
    public String toString() {
        return DIRECTORY.relativize(path).toString();
    }
}
