package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads SQL scripts from a store's jar and fills in names.
 *
 * <p>A script is plain SQL with these marks: <code>${table:_held}</code> for a table, quoted and with its schema;
 * <code>${name:_held_due}</code> for the quoted name alone, as indexes and constraints need it; <code>${lanes}</code>;
 * <code>${lane_rows}</code> for {@code (0, 0), (1, 0), …}, a lane and its epoch each; and the store's own. A statement ends with
 * a semicolon at the end of a line, outside of <code>$$</code> quotes.
 */
@Internal
public final class SchemaScripts {

    private static final Pattern MARK = Pattern.compile("\\$\\{([a-z_]+)(?::([a-z_]*))?}");

    private final Class<?> anchor;
    private final JdbcContext context;
    private final Map<String, String> values;

    /**
     * Scripts beside this class.
     *
     * @param values the store's own marks
     */
    public SchemaScripts(Class<?> anchor, JdbcContext context, Map<String, String> values) {
        this.anchor = anchor;
        this.context = context;
        this.values = Map.copyOf(values);
    }

    /** The statements of one script. */
    public List<String> read(String resource) {
        return split(MARK.matcher(load(resource))
                .replaceAll(mark -> Matcher.quoteReplacement(valueOf(mark.group(1), mark.group(2)))));
    }

    private String load(String resource) {
        try (InputStream in = anchor.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("The jar of " + anchor.getName() + " lacks " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private String valueOf(String mark, String suffix) {
        return switch (mark) {
            case "table" -> context.tables().named(suffix).sql();
            case "name" ->
                context.dialect().quote(context.tables().named(suffix).name());
            case "lanes" -> String.valueOf(context.options().lanes());
            case "lane_rows" -> laneRows(context.options().lanes());
            default -> {
                String value = values.get(mark);
                if (value == null) {
                    throw new IllegalStateException("Unknown mark ${" + mark + "} in a script of " + anchor.getName());
                }
                yield value;
            }
        };
    }

    private static String laneRows(int lanes) {
        List<String> rows = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            rows.add("(" + lane + ", 0)");
        }
        return String.join(", ", rows);
    }

    static List<String> split(String script) {
        List<String> statements = new ArrayList<>();
        StringBuilder statement = new StringBuilder();
        boolean quoted = false;
        for (String line : script.lines().toList()) {
            quoted ^= line.split("\\$\\$", -1).length % 2 == 0;
            statement.append(line).append('\n');
            if (!quoted && line.stripTrailing().endsWith(";")) {
                statements.add(withoutSemicolon(statement.toString()));
                statement.setLength(0);
            }
        }
        if (!statement.toString().isBlank()) {
            throw new IllegalStateException("The last statement of a script lacks its semicolon: " + statement);
        }
        return statements;
    }

    private static String withoutSemicolon(String statement) {
        String text = statement.strip();
        return text.substring(0, text.length() - 1);
    }
}
