package dev.postrider.store.status;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads JSON of others: any value, numbers kept as they are written. Strict, and bounded in depth.
 *
 * <p>Objects become maps, arrays lists, texts strings, {@code null} an empty {@link Optional}; numbers and booleans become
 * {@link Scalar}.
 */
final class Json {

    private static final int MAX_DEPTH = 64;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** A number or a boolean, as it is written. */
    record Scalar(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    /** @throws IllegalArgumentException if it is no JSON object */
    static Map<String, Object> object(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.skipSpace();
        if (json.at != text.length()) {
            throw json.problem("something after its end");
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> result = new LinkedHashMap<>();
            map.forEach((name, member) -> result.put((String) name, member));
            return result;
        }
        throw new IllegalArgumentException("it is JSON, but not an object");
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw problem("more than " + MAX_DEPTH + " levels");
        }
        skipSpace();
        return switch (peek()) {
            case '{' -> members(depth);
            case '[' -> elements(depth);
            case '"' -> string();
            case 't' -> word("true", new Scalar("true"));
            case 'f' -> word("false", new Scalar("false"));
            case 'n' -> word("null", Optional.empty());
            default -> number();
        };
    }

    private Map<String, Object> members(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        skipSpace();
        if (peek() == '}') {
            at++;
            return members;
        }
        do {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            members.put(name, value(depth + 1));
            skipSpace();
        } while (isNext(','));
        expect('}');
        return members;
    }

    private List<Object> elements(int depth) {
        List<Object> elements = new ArrayList<>();
        at++;
        skipSpace();
        if (peek() == ']') {
            at++;
            return elements;
        }
        do {
            elements.add(value(depth + 1));
            skipSpace();
        } while (isNext(','));
        expect(']');
        return elements;
    }

    private String string() {
        expect('"');
        StringBuilder result = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw problem("a control character in a text");
            }
            result.append(c == '\\' ? escaped() : c);
        }
        at++;
        return result.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw problem("an unknown escape");
        };
    }

    private char unicode() {
        if (at + 4 > text.length()) {
            throw problem("an unfinished escape");
        }
        String digits = text.substring(at, at + 4);
        at += 4;
        if (!digits.matches("[0-9a-fA-F]{4}")) {
            throw problem("an unknown escape");
        }
        return (char) Integer.parseInt(digits, 16);
    }

    private Scalar number() {
        int start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw problem("something unknown");
        }
        return new Scalar(number);
    }

    private Object word(String word, Object meaning) {
        if (!text.startsWith(word, at)) {
            throw problem("something unknown");
        }
        at += word.length();
        return meaning;
    }

    private boolean isNext(char c) {
        boolean is = peek() == c;
        if (is) {
            at++;
        }
        return is;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw problem("'" + peek() + "' instead of '" + c + "'");
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw problem("its end");
        }
        return text.charAt(at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException problem(String what) {
        return new IllegalArgumentException("it is no JSON: %s at character %d".formatted(what, at));
    }
}
