package dev.postrider.cli.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A guide with SQL in it: each block has its name in a comment on the line before, {@code <!-- sql: name -->}. */
final class Guide {

    static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    private static final Pattern BLOCK = Pattern.compile("(?m)^(.*)\\n```sql\\n((?s:.*?))^```$");
    private static final Pattern MARK = Pattern.compile("<!-- sql: (\\S+) -->");

    private final String path;
    private final Map<String, String> blocks = new LinkedHashMap<>();

    private Guide(String path) {
        this.path = path;
    }

    /** Reads a guide by its name under docs/guides; a block without name is a mistake. */
    static Guide read(String name) {
        Guide guide = new Guide("docs/guides/" + name);
        BLOCK.matcher(guide.text())
                .results()
                .forEach(block -> guide.blocks.put(guide.nameIn(block.group(1)), block.group(2)));
        return guide;
    }

    private String text() {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private String nameIn(String lineBefore) {
        var mark = MARK.matcher(lineBefore);
        if (!mark.matches()) {
            throw new IllegalStateException(
                    "In " + path + " a line <!-- sql: name --> must stand instead of or after: " + lineBefore);
        }
        return mark.group(1);
    }

    Set<String> names() {
        return blocks.keySet();
    }

    /** The only statement of a block, without its semicolon. */
    String statement(String name) {
        List<String> statements = statements(name);
        if (statements.size() != 1) {
            throw new IllegalStateException(name + " in " + path + " has " + statements.size() + " statements");
        }
        return statements.get(0);
    }

    /** The statements of a block, without semicolons and comments. */
    List<String> statements(String name) {
        String block = blocks.get(name);
        if (block == null) {
            throw new IllegalStateException(path + " has no SQL named " + name + ", only " + names());
        }
        return Stream.of(block.replaceAll("(?m)^--.*\\n", "").split(";\\s*(--.*)?\\n"))
                .map(String::strip)
                .filter(sql -> !sql.isEmpty())
                .toList();
    }
}
