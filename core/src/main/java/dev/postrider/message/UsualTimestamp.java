package dev.postrider.message;

/**
 * Recognises most timestamps of RFC 3339 at a glance, such as {@code 2026-01-31T12:00:00.123Z}: a formatter takes longer than all else
 * that is done with a message before it is sent. What it does not recognise may be valid too.
 */
final class UsualTimestamp {

    private static final int SECONDS_END = "2026-01-31T12:00:00".length();
    private static final int MAX_FRACTION = 9;

    /** In every month; what is later depends on it. */
    private static final int LAST_DAY = 28;

    private UsualTimestamp() {}

    static boolean is(String text) {
        return text.length() > SECONDS_END
                && isDate(text)
                && isTime(text)
                && isFraction(text, SECONDS_END, text.length() - 1)
                && text.charAt(text.length() - 1) == 'Z';
    }

    private static boolean isDate(String text) {
        return isBetween(text, 0, 0, 99)
                && isBetween(text, 2, 0, 99)
                && text.charAt(4) == '-'
                && isBetween(text, 5, 1, 12)
                && text.charAt(7) == '-'
                && isBetween(text, 8, 1, LAST_DAY);
    }

    private static boolean isTime(String text) {
        return text.charAt(10) == 'T'
                && isBetween(text, 11, 0, 23)
                && text.charAt(13) == ':'
                && isBetween(text, 14, 0, 59)
                && text.charAt(16) == ':'
                && isBetween(text, 17, 0, 59);
    }

    /** Whether the two digits from there on make a number in this range. */
    private static boolean isBetween(String text, int start, int min, int max) {
        int tens = text.charAt(start) - '0';
        int ones = text.charAt(start + 1) - '0';
        int number = 10 * tens + ones;
        return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && number >= min && number <= max;
    }

    private static boolean isFraction(String text, int start, int end) {
        if (start == end) {
            return true;
        }
        int digits = end - start - 1;
        if (text.charAt(start) != '.' || digits < 1 || digits > MAX_FRACTION) {
            return false;
        }
        for (int i = start + 1; i < end; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
