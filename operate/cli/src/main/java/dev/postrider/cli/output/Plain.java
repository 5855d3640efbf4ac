package dev.postrider.cli.output;

/** Texts that came from elsewhere, made safe for a terminal. */
public final class Plain {

    private Plain() {}

    /** On one line and without control characters, which could move the cursor or change colours. */
    public static String text(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints()
                .forEach(c -> out.appendCodePoint(
                        Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '\uFFFD' : c));
        return out.toString();
    }

    /** The same, cut to a number of characters. */
    public static String text(String text, int most) {
        String plain = text(text);
        return plain.length() <= most ? plain : plain.substring(0, most - 1) + "…";
    }
}
