package dev.postrider.store.jdbc;

/** Error texts as they are stored: short, and without what a database refuses. */
final class ErrorText {

    static final int MAX_LENGTH = 1024;

    private ErrorText() {}

    /** At most {@value #MAX_LENGTH} characters, no NUL, never half a surrogate pair. */
    static String stored(String error) {
        StringBuilder text = new StringBuilder(Math.min(error.length(), MAX_LENGTH));
        int index = 0;
        while (index < error.length()) {
            int codePoint = error.codePointAt(index);
            index += Character.charCount(codePoint);
            if (text.length() + Character.charCount(codePoint) > MAX_LENGTH) {
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
