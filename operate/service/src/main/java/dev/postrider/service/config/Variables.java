package dev.postrider.service.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills in <code>${NAME}</code> and <code>${NAME:default}</code> from the environment. <code>$${</code> stands for <code>${</code>
 * itself.
 *
 * <p>It works on values after the file is parsed, so that no variable can change the structure of the file.
 */
final class Variables {

    private static final Pattern MARK = Pattern.compile("\\$(\\$\\{)|\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?}");

    private final Map<String, String> environment;

    Variables(Map<String, String> environment) {
        this.environment = environment;
    }

    String fillIn(String text, Place place) {
        return MARK.matcher(text)
                .replaceAll(mark -> Matcher.quoteReplacement(
                        mark.group(1) != null ? mark.group(1) : value(mark.group(2), mark.group(3), place)));
    }

    private String value(String name, String otherwise, Place place) {
        String value = environment.get(name);
        if (value != null) {
            return value;
        }
        if (otherwise != null) {
            return otherwise;
        }
        throw place.refuse(
                "the environment variable %1$s is not set; set it, or write ${%1$s:default}".formatted(name));
    }
}
