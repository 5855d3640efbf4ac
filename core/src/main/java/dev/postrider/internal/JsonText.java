package dev.postrider.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads JSON as far as events need it: tells whether a text is one JSON value, and splits an object into its members without changing
 * them. Strict, as in RFC 8259; of two members with one name none is preferred, both are refused. Not thread-safe, used by one call.
 */
public final class JsonText {

    private static final int MAX_DEPTH = 500;

    private final String text;
    private int position;

    private JsonText(String text) {
        this.text = text;
    }

    /**
     * The value of a member.
     *
     * @param source its exact text
     * @param scalar what a string says, or the text of a number, true or false; nothing for null, objects and arrays
     */
    public record Value(String source, Optional<String> scalar) {

        private static Value of(String source) {
            return switch (source.charAt(0)) {
                case '"' -> new Value(source, Optional.of(new HeaderJsonReader(source).readString()));
                case '{', '[', 'n' -> new Value(source, Optional.empty());
                default -> new Value(source, Optional.of(source));
            };
        }

        public boolean isNull() {
            return source.equals("null");
        }
    }

    /** Whether the text is one JSON value, and not nested too deep. */
    public static boolean isValid(String text) {
        return firstError(text) < 0;
    }

    /** Where the text stops being one JSON value, counted from 0; -1 if it is one. */
    public static int firstError(String text) {
        JsonText json = new JsonText(text);
        return json.value(0) && json.atEnd() ? -1 : Math.min(json.position, text.length());
    }

    /**
     * The members of an object, in their order.
     *
     * @throws IllegalArgumentException if the text is anything else; the message names the place, never the content
     */
    public static Map<String, Value> members(String text) {
        return new JsonText(text).object();
    }

    private Map<String, Value> object() {
        Map<String, Value> members = new LinkedHashMap<>();
        require(takeAfterSpace('{'));
        if (!takeAfterSpace('}')) {
            do {
                addMember(members);
            } while (takeAfterSpace(','));
            require(take('}'));
        }
        require(atEnd());
        return members;
    }

    private void addMember(Map<String, Value> members) {
        skipSpace();
        int start = position;
        require(string());
        String name = new HeaderJsonReader(text.substring(start, position)).readString();
        require(takeAfterSpace(':'));
        skipSpace();
        int valueStart = position;
        require(value(1) && members.put(name, Value.of(text.substring(valueStart, position))) == null);
    }

    private void require(boolean isRight) {
        if (!isRight) {
            throw new IllegalArgumentException("it goes wrong at character " + position);
        }
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
        while (position < text.length() && isSpace(text.charAt(position))) {
            position++;
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    /** NUL, which no JSON has outside of an escape, stands for the end. */
    private char peek() {
        return position < text.length() ? text.charAt(position) : '\0';
    }
}
