package dev.postrider.store.jdbc;

/** Texts of any origin, such as errors, as they are stored: short, and without what a database refuses. */
final class ErrorText {

    static final int MAX_LENGTH = 1024;

    private ErrorText() {}

    /** At most {@value #MAX_LENGTH} characters, no NUL, never half a surrogate pair. */
    static String stored(String error) {
        return stored(error, MAX_LENGTH);
    }

    /** The same with another limit. */
    static String stored(String error, int maxLength) {
        StringBuilder text = new StringBuilder(Math.min(error.length(), maxLength));
        int index = 0;
        while (index < error.length()) {
            int codePoint = error.codePointAt(index);
            index += Character.charCount(codePoint);
            if (text.length() + Character.charCount(codePoint) > maxLength) {
                break;
            }
            if (codePoint != 0) {
                text.appendCodePoint(isHalfPair(codePoint) ? '\uFFFD' : codePoint);
            }
        }
        return text.toString();
    }

    private static boolean isHalfPair(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
