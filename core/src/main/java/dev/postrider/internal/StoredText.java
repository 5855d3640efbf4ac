package dev.postrider.internal;

/** Texts of any origin, such as errors, as stores keep them: short, and without what a database refuses. Stateless. */
public final class StoredText {

    private static final int MAX_LENGTH = 1024;

    private StoredText() {}

    /** At most 1024 characters, no NUL, never half a surrogate pair. */
    public static String of(String error) {
        return of(error, MAX_LENGTH);
    }

    /** The same with another limit. */
    public static String of(String error, int maxLength) {
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
