package dev.postrider.internal;

import java.util.Map;
import java.util.function.Predicate;

/**
 * Headers as text: one flat JSON object whose values are strings.
 *
 * <p>Strict in both directions, because writers in other languages produce the same text: anything but an object of strings
 * is refused, and so is a name that occurs twice. Keeps the order of the names. Stateless.
 */
public final class HeaderJson {

    private HeaderJson() {}

    public static String write(Map<String, String> headers) {
        return write(headers, name -> true);
    }

    /** The same where some members are no texts: their values are JSON already. */
    public static String write(Map<String, String> headers, Predicate<String> isText) {
        StringBuilder out = new StringBuilder(16 + 32 * headers.size()).append('{');
        headers.forEach((name, value) -> {
            if (out.length() > 1) {
                out.append(',');
            }
            JsonText.appendString(out, name);
            out.append(':');
            if (isText.test(name)) {
                JsonText.appendString(out, value);
            } else {
                out.append(value);
            }
        });
        return out.append('}').toString();
    }

    /**
     * Reads what {@link #write} wrote, or what any JSON library wrote for a map of strings.
     *
     * @throws IllegalArgumentException if the text is anything else; the message says what was found and where
     */
    public static Map<String, String> read(String json) {
        try {
            return JsonText.strings(json);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("Headers are not a JSON object of strings: " + invalid.getMessage());
        }
    }
}
