package dev.postrider.destination.rabbitmq;

import dev.postrider.internal.HeaderJson;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads JSON as far as events need it: checks that a text is one JSON value, and splits an object into its members without
 * looking into them. Strict, as in RFC 8259; members keep their exact text.
 */
final class JsonReader {

    /** Deeper ones are refused: each level takes a frame of the stack. */
    private static final int MAX_DEPTH = 200;

    private final String json;
    private int position;

    private JsonReader(String json) {
        this.json = json;
    }

    /**
     * Returns if the text is one JSON value.
     *
     * @throws IllegalArgumentException if not; the message says where it goes wrong
     */
    static void check(String json) {
        JsonReader reader = new JsonReader(json);
        reader.value(0);
        reader.end();
    }

    /**
     * The members of an object, in their order: name to text of the value.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    static Map<String, String> members(String json) {
        JsonReader reader = new JsonReader(json);
        Map<String, String> members = new LinkedHashMap<>();
        reader.object(0, members);
        reader.end();
        return members;
    }

    /** The content of a string, the text of a number or literal, nothing for null. */
    static String scalar(String value) {
        if (value.startsWith("\"")) {
            return HeaderJson.read("{\"v\":" + value + "}").getOrDefault("v", "");
        }
        return value.equals("null") ? "" : value;
    }

    private void value(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("nested deeper than " + MAX_DEPTH);
        }
        switch (peek()) {
            case '{' -> object(depth, new LinkedHashMap<>());
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        }
    }

    private void object(int depth, Map<String, String> members) {
        expect('{');
        if (skipIf('}')) {
            return;
        }
        do {
            peek();
            String name = scalar(string());
            expect(':');
            peek();
            int start = position;
            value(depth + 1);
            members.put(name, json.substring(start, position));
        } while (skipIf(','));
        expect('}');
    }

    private void array(int depth) {
        expect('[');
        if (skipIf(']')) {
            return;
        }
        do {
            value(depth + 1);
        } while (skipIf(','));
        expect(']');
    }

    /** The string with its quotes. */
    private String string() {
        int start = position;
        expect('"');
        for (char c = next(); c != '"'; c = next()) {
            if (c < 0x20) {
                throw unexpected();
            }
            if (c == '\\') {
                escape();
            }
        }
        return json.substring(start, position);
    }

    private void escape() {
        char c = next();
        if (c == 'u') {
            for (int i = 0; i < 4; i++) {
                if (Character.digit(next(), 16) < 0) {
                    throw unexpected();
                }
            }
        } else if ("\"\\/bfnrt".indexOf(c) < 0) {
            throw unexpected();
        }
    }

    private void literal(String text) {
        if (!json.startsWith(text, position)) {
            throw unexpected();
        }
        position += text.length();
    }

    private void number() {
        skipHere('-');
        if (!skipHere('0')) {
            digits();
        }
        if (skipHere('.')) {
            digits();
        }
        if (skipHere('e') || skipHere('E')) {
            if (!skipHere('+')) {
                skipHere('-');
            }
            digits();
        }
    }

    private void digits() {
        int start = position;
        while (position < json.length() && json.charAt(position) >= '0' && json.charAt(position) <= '9') {
            position++;
        }
        if (position == start) {
            throw unexpected();
        }
    }

    private void end() {
        skipSpace();
        if (position < json.length()) {
            throw unexpected();
        }
    }

    /** The next character that is no space, without taking it. */
    private char peek() {
        skipSpace();
        if (position == json.length()) {
            throw unexpected();
        }
        return json.charAt(position);
    }

    private char next() {
        if (position == json.length()) {
            throw unexpected();
        }
        return json.charAt(position++);
    }

    private void expect(char wanted) {
        if (!skipIf(wanted)) {
            throw unexpected();
        }
    }

    private boolean skipIf(char wanted) {
        skipSpace();
        return skipHere(wanted);
    }

    private boolean skipHere(char wanted) {
        boolean isThere = position < json.length() && json.charAt(position) == wanted;
        if (isThere) {
            position++;
        }
        return isThere;
    }

    private void skipSpace() {
        while (position < json.length() && " \t\n\r".indexOf(json.charAt(position)) >= 0) {
            position++;
        }
    }

    /** Names the place, never the content, which may be confidential. */
    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("it goes wrong at position " + position + " of " + json.length());
    }
}
