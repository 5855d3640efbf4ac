package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spring.boot.SpringSettings.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The metadata for editors has exactly the keys of the configuration file's reference, which another test compares with the code, and those
 * that only an application has. With {@code -Dpostrider.docs.update} both files are written instead of compared.
 */
class MetadataTest {

    private static final Path REFERENCE = Path.of("../../docs/reference/configuration.md");
    private static final Path GUIDE = Path.of("../../docs/guides/spring.md");
    private static final Path METADATA = Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");
    private static final Pattern TABLE = Pattern.compile("<!-- keys: (\\S+) -->\\n((?:\\|.*\\n)*)");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z-]+)` \\| (.*?) \\| (.*?) \\| (.*) \\|\\n");

    /** Where the tables of the reference stand below an outbox. */
    private static final Map<String, String> SECTIONS = new LinkedHashMap<>();

    static {
        SECTIONS.put("outbox", "");
        SECTIONS.put("relay", "relay.");
        SECTIONS.put("cleanup", "cleanup.");
        SECTIONS.put("partitions", "partitions.");
        SECTIONS.put("console", "console.");
    }

    private record Row(String name, String form, String standard, String meaning) {}

    @Test
    void namesTheKeysOfTheConfigurationFile() throws IOException {
        List<Row> rows = rows();
        assertThat(rows).hasSizeGreaterThan(40);
        compare(METADATA, json(rows));
    }

    @Test
    void guideNamesTheKeysThatOnlyAnApplicationHas() throws IOException {
        String table = SpringSettings.ALL.stream()
                .map(key -> "| `postrider.%s` | %s | %s |\n".formatted(key.path(), key.standard(), key.meaning()))
                .collect(Collectors.joining());
        String text = Files.readString(GUIDE);
        Matcher marked = Pattern.compile("<!-- keys: spring -->\\n\\|.*\\n\\|.*\\n((?:\\|.*\\n)*)")
                .matcher(text);
        assertThat(marked.find()).isTrue();
        compare(GUIDE, text.substring(0, marked.start(1)) + table + text.substring(marked.end(1)));
    }

    private static void compare(Path file, String expected) throws IOException {
        if (System.getProperty("postrider.docs.update") != null) {
            Files.writeString(file, expected);
        }
        assertThat(Files.readString(file)).isEqualTo(expected);
    }

    private static List<Row> rows() throws IOException {
        Map<String, String> tables = new LinkedHashMap<>();
        TABLE.matcher(Files.readString(REFERENCE))
                .results()
                .forEach(found -> tables.put(found.group(1), found.group(2)));
        List<Row> rows = new ArrayList<>();
        SECTIONS.forEach((table, prefix) ->
                ROW.matcher(tables.get(table)).results().forEach(found -> rows.add(row(prefix, found))));
        // In an application, authorities say who may do what, and without a path there is no console.
        rows.removeIf(row -> row.name().equals("console.loopback-role"));
        rows.replaceAll(row -> row.name().equals("console.path")
                ? new Row(row.name(), row.form(), "no console", "Below which path the console answers.")
                : row);
        for (String role : List.of("metadata", "payloads", "operate")) {
            rows.add(new Row(
                    "console.roles." + role,
                    "text",
                    "nobody",
                    "Authorities that have the role " + role + " in the console, separated by commas."));
        }
        for (Key<?> key : SpringSettings.ALL) {
            rows.add(new Row(key.path(), key.form().label(), key.standard(), key.meaning()));
        }
        return rows;
    }

    private static Row row(String prefix, MatchResult found) {
        return new Row(prefix + found.group(1), found.group(2), found.group(3), found.group(4));
    }

    private static String json(List<Row> rows) {
        String properties = rows.stream().map(MetadataTest::property).collect(Collectors.joining(",\n"));
        String hints = rows.stream()
                .filter(row -> isChoice(row.form()))
                .map(MetadataTest::hint)
                .collect(Collectors.joining(",\n"));
        return """
            {
              "properties": [
                {"name": "postrider.enabled", "type": "java.lang.Boolean", "description": "Whether there are outboxes at all.", "defaultValue": true},
                {"name": "postrider.destinations", "type": "java.util.Map<java.lang.String,java.util.Map<java.lang.String,java.lang.String>>", "description": "Destinations by name, each with a type and the keys of that type."},
                {"name": "postrider.subscribers", "type": "java.util.Map<java.lang.String,java.util.Map<java.lang.String,java.lang.String>>", "description": "Where the events of each subscriber come from, by the name in @EventHandler."},
                {"name": "postrider.handlers.enabled", "type": "java.lang.Boolean", "description": "Whether methods with @EventHandler get events in this application; set it to false if another one handles them.", "defaultValue": true},
                {"name": "postrider.outboxes", "type": "java.util.Map<java.lang.String,java.lang.Object>", "description": "Several outboxes by name, each with the keys of a single one."},
                {"name": "postrider.destination", "type": "java.lang.String", "description": "The destination of what no route takes; needed where there are several."},
                {"name": "postrider.routes", "type": "java.util.List<java.util.Map<java.lang.String,java.lang.String>>", "description": "Which topic goes to which destination; the first route that matches."},
                {"name": "postrider.tracing.enabled", "type": "java.lang.Boolean", "description": "Whether messages are traced where the application traces with Micrometer.", "defaultValue": true},
                {"name": "postrider.tracing.send-as-child", "type": "java.lang.Boolean", "description": "Whether the span of a send is a child of the span in which the message was written, instead of linked to it.", "defaultValue": false},
                {"name": "postrider.tracing.create-spans", "type": "java.lang.Boolean", "description": "Whether a span is made of each message that is written to an outbox.", "defaultValue": false},
                {"name": "postrider.metrics.messaging-conventions", "type": "java.lang.Boolean", "description": "Whether messages are counted under the names of OpenTelemetry's messaging conventions too.", "defaultValue": false},
            %s
              ],
              "hints": [
            %s
              ]
            }
            """.formatted(properties, hints);
    }

    private static String property(Row row) {
        return "    {\"name\": \"postrider.%s\", \"type\": \"%s\", \"description\": \"%s\"%s}"
                .formatted(row.name(), type(row.form()), escaped(row.meaning()), standard(row));
    }

    private static String type(String form) {
        return switch (form) {
            case "number" -> "java.lang.Integer";
            case "true or false" -> "java.lang.Boolean";
            case "time" -> "java.time.Duration";
            default -> "java.lang.String";
        };
    }

    /** Only what could be written so; the rest is for people. */
    private static String standard(Row row) {
        String value = row.standard();
        boolean isValue = isChoice(row.form())
                ? row.form().contains(value)
                : switch (row.form()) {
                    case "number" -> value.matches("\\d+");
                    case "true or false" -> value.matches("true|false");
                    case "time" -> value.matches("\\d+(ms|s|m|h|d)");
                    case "bytes" -> value.matches("\\d+[KM]iB");
                    default -> value.matches("outbox|(constant|linear|exponential) .*");
                };
        boolean isBare = isValue && value.matches("\\d+|true|false");
        return !isValue ? "" : ", \"defaultValue\": " + (isBare ? value : "\"" + value + "\"");
    }

    private static boolean isChoice(String form) {
        return form.matches("[a-z-]+(, [a-z-]+)+");
    }

    private static String hint(Row row) {
        String values = Pattern.compile(", ")
                .splitAsStream(row.form())
                .map(value -> "{\"value\": \"" + value + "\"}")
                .collect(Collectors.joining(", "));
        return "    {\"name\": \"postrider.%s\", \"values\": [%s]}".formatted(row.name(), values);
    }

    private static String escaped(String text) {
        return text.replace("`", "").replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
