package dev.postrider.internal;

/** Texts of any origin on one line: nobody can forge a line of a log or give orders to a terminal with them. Stateless. */
public final class Printable {

    private Printable() {}

    /** The text, with control characters, line separators and marks that change the direction of writing as {@code \\uXXXX}. */
    public static String of(String text) {
        int first = 0;
        while (first < text.length() && isPlain(text.charAt(first))) {
            first++;
        }
        return first == text.length() ? text : text.substring(0, first) + escaped(text, first);
    }

    private static StringBuilder escaped(String text, int from) {
        StringBuilder line = new StringBuilder(text.length() + 16);
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                line.append(c);
            } else {
                line.append(
                        switch (c) {
                            case '\n' -> "\\n";
                            case '\r' -> "\\r";
                            case '\t' -> "\\t";
                            default -> "\\u%04X".formatted((int) c);
                        });
            }
        }
        return line;
    }

    private static boolean isPlain(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
