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
            writeString(out, name);
            out.append(':');
            if (isText.test(name)) {
                writeString(out, value);
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

    private static void writeString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            writeChar(out, text, i);
        }
        out.append('"');
    }

    private static void writeChar(StringBuilder out, String text, int index) {
        char c = text.charAt(index);
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (c < 0x20 || isHalfPair(text, index)) {
                    out.append("\\u%04x".formatted((int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }

    /** Half a surrogate pair has no UTF-8 form: a driver would turn it into a question mark. */
    private static boolean isHalfPair(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(c) && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }
}
