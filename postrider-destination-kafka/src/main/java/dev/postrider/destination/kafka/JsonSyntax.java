package dev.postrider.destination.kafka;

/** Tells whether a text is one JSON value: an envelope around anything else could not be read. Keeps nothing of it. */
final class JsonSyntax {

    private static final int MAX_DEPTH = 500;

    private final String text;
    private int position;

    private JsonSyntax(String text) {
        this.text = text;
    }

    static boolean isValid(String text) {
        JsonSyntax syntax = new JsonSyntax(text);
        return syntax.value(0) && syntax.atEnd();
    }

    private boolean atEnd() {
        skipSpace();
        return position == text.length();
    }

    private boolean value(int depth) {
        skipSpace();
        if (depth > MAX_DEPTH) {
            return false;
        }
        return switch (peek()) {
            case '{' -> members('}', true, depth);
            case '[' -> members(']', false, depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
    }

    private boolean members(char end, boolean areNamed, int depth) {
        position++;
        skipSpace();
        if (take(end)) {
            return true;
        }
        do {
            skipSpace();
            if ((areNamed && !(string() && takeAfterSpace(':'))) || !value(depth + 1)) {
                return false;
            }
        } while (takeAfterSpace(','));
        return take(end);
    }

    private boolean string() {
        if (!take('"')) {
            return false;
        }
        while (position < text.length()) {
            char c = text.charAt(position++);
            if (c == '"') {
                return true;
            }
            if (c < ' ' || (c == '\\' && !escape())) {
                return false;
            }
        }
        return false;
    }

    private boolean escape() {
        char c = peek();
        position++;
        if (c != 'u') {
            return "\"\\/bfnrt".indexOf(c) >= 0;
        }
        for (int i = 0; i < 4; i++, position++) {
            if (Character.digit(peek(), 16) < 0 || peek() > 'f') {
                return false;
            }
        }
        return true;
    }

    private boolean number() {
        take('-');
        if (!take('0') && !digits()) {
            return false;
        }
        if (take('.') && !digits()) {
            return false;
        }
        if (take('e') || take('E')) {
            boolean unused = take('+') || take('-');
            return digits();
        }
        return true;
    }

    private boolean digits() {
        int start = position;
        while (peek() >= '0' && peek() <= '9') {
            position++;
        }
        return position > start;
    }

    private boolean word(String word) {
        boolean isThere = text.startsWith(word, position);
        position += word.length();
        return isThere;
    }

    private boolean takeAfterSpace(char wanted) {
        skipSpace();
        return take(wanted);
    }

    private boolean take(char wanted) {
        if (peek() != wanted || position >= text.length()) {
            return false;
        }
        position++;
        return true;
    }

    private void skipSpace() {
        while (position < text.length() && " \t\n\r".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
    }

    /** NUL, which no JSON has outside of an escape, stands for the end. */
    private char peek() {
        return position < text.length() ? text.charAt(position) : '\0';
    }
}
