package dev.postrider.message;

/**
 * Finds text that has no UTF-8 form.
 *
 * <p>Half a surrogate pair becomes a question mark when it is encoded: two different keys would turn into one, and a payload
 * would arrive changed.
 */
final class Surrogates {

    private Surrogates() {}

    /** The position of the first half pair, or -1 if there is none. */
    static int firstHalfPair(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!isPairAt(text, i)) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    private static boolean isPairAt(String text, int position) {
        return position + 1 < text.length()
                && Character.isSurrogatePair(text.charAt(position), text.charAt(position + 1));
    }
}
