package dev.postrider.internal;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON as far as messages need it: tells whether a text is one JSON value, and splits an object into its members without changing
 * them. Strict, as in RFC 8259. Writes strings. Not thread-safe, used by one call.
 */
public final class JsonText {

    private static final int MAX_DEPTH = 500;

    /** What comes before it in Unicode must be escaped. */
    private static final char FIRST_PRINTABLE = ' ';

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

        public boolean isNull() {
            return source.equals("null");
        }

        public boolean isText() {
            return source.startsWith("\"");
        }

        public boolean isObject() {
            return source.startsWith("{");
        }

        public boolean isTruthValue() {
            return source.equals("true") || source.equals("false");
        }

        public boolean isNumber() {
            return scalar.isPresent() && !isText() && !isTruthValue();
        }

        /** As a header, which is a text: what is no scalar remains JSON. */
        public Optional<String> asHeader() {
            return isNull() ? Optional.empty() : scalar.or(() -> Optional.of(source));
        }
    }

    /** Whether the text is one JSON value, and not nested too deep. */
    public static boolean isValid(String text) {
        return firstError(text) < 0;
    }

    /** Where the text stops being one JSON value, counted from 0; -1 if it is one. */
    public static int firstError(String text) {
        JsonText json = new JsonText(text);
        try {
            json.value(0);
            json.end();
            return -1;
        } catch (IllegalArgumentException invalid) {
            return json.position;
        }
    }

    /**
     * The members of an object, in their order.
     *
     * @throws IllegalArgumentException if the text is anything else, or two members have the same name; the message names the place, never the content
     */
    public static Map<String, Value> members(String text) {
        return new JsonText(text).object(JsonText::member, true);
    }

    /** The same for an object that others have written: of members with the same name the last counts, as databases have it. */
    public static Map<String, Value> lastMembers(String text) {
        return new JsonText(text).object(JsonText::member, false);
    }

    /**
     * The elements of an array, in their order, each as its exact text.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    public static List<String> elements(String text) {
        JsonText json = new JsonText(text);
        List<String> elements = new ArrayList<>();
        json.expect('[');
        if (!json.skipIf(']')) {
            do {
                elements.add(json.member().source());
            } while (json.skipIf(','));
            json.expect(']');
        }
        json.end();
        return elements;
    }

    /** The same for an object of strings. */
    static Map<String, String> strings(String text) {
        return new JsonText(text).object(JsonText::string, true);
    }

    private <T> Map<String, T> object(Function<JsonText, T> read, boolean isStrict) {
        Map<String, T> members = new LinkedHashMap<>();
        expect('{');
        if (!skipIf('}')) {
            do {
                String name = string();
                expect(':');
                if (members.put(name, read.apply(this)) != null && isStrict) {
                    throw new IllegalArgumentException("'" + name + "' occurs twice");
                }
            } while (skipIf(','));
            expect('}');
        }
        end();
        return members;
    }

    private void end() {
        skipSpace();
        if (position < text.length()) {
            throw unexpected("the end");
        }
    }

    private Value member() {
        skipSpace();
        int start = position;
        char first = peek();
        if (first == '"') {
            String scalar = string();
            return new Value(text.substring(start, position), Optional.of(scalar));
        }
        value(1);
        String source = text.substring(start, position);
        return new Value(source, "{[n".indexOf(first) < 0 ? Optional.of(source) : Optional.empty());
    }

    private void value(int depth) {
        skipSpace();
        if (depth > MAX_DEPTH) {
            throw unexpected("less depth");
        }
        switch (peek()) {
            case '{' -> values('}', true, depth);
            case '[' -> values(']', false, depth);
            case '"' -> skipString();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    private void values(char end, boolean areNamed, int depth) {
        position++;
        if (skipIf(end)) {
            return;
        }
        do {
            if (areNamed) {
                skipString();
                expect(':');
            }
            value(depth + 1);
        } while (skipIf(','));
        expect(end);
    }

    /** Most strings have no escapes and are taken as they stand. */
    private String string() {
        expect('"');
        int start = position;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                position = i + 1;
                return text.substring(start, i);
            }
            if (c == '\\' || c < FIRST_PRINTABLE) {
                break;
            }
        }
        StringBuilder decoded = new StringBuilder();
        restOfString(decoded);
        return decoded.toString();
    }

    private void skipString() {
        expect('"');
        restOfString(null);
    }

    /** Behind the quote that opens it; reads into a builder if there is one. */
    private void restOfString(@Nullable StringBuilder decoded) {
        for (char c = next(); c != '"'; c = next()) {
            if (c < FIRST_PRINTABLE) {
                position--;
                throw unexpected("an escaped control character");
            }
            char meant = c == '\\' ? escape() : c;
            if (decoded != null) {
                decoded.append(meant);
            }
        }
    }

    private char escape() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> {
                position--;
                throw unexpected("an escape");
            }
        };
    }

    private char hex() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            char c = next();
            if (!HexFormat.isHexDigit(c)) {
                position--;
                throw unexpected("a hex digit");
            }
            value = value << 4 | HexFormat.fromHexDigit(c);
        }
        return (char) value;
    }

    private void number() {
        take('-');
        if (!take('0')) {
            digits();
        }
        if (take('.')) {
            digits();
        }
        if (take('e') || take('E')) {
            boolean unused = take('+') || take('-');
            digits();
        }
    }

    private void digits() {
        int start = position;
        while (peek() >= '0' && peek() <= '9') {
            position++;
        }
        if (position == start) {
            throw unexpected("a value");
        }
    }

    private void word(String word) {
        if (!text.startsWith(word, position)) {
            throw unexpected(word);
        }
        position += word.length();
    }

    private char next() {
        if (position == text.length()) {
            throw unexpected("more text");
        }
        return text.charAt(position++);
    }

    private void expect(char wanted) {
        if (!skipIf(wanted)) {
            throw unexpected("'" + wanted + "'");
        }
    }

    private boolean skipIf(char wanted) {
        skipSpace();
        return take(wanted);
    }

    private boolean take(char wanted) {
        if (position == text.length() || text.charAt(position) != wanted) {
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

    /** Names places, never contents: a header may be confidential. */
    private IllegalArgumentException unexpected(String wanted) {
        return new IllegalArgumentException("expected " + wanted + " at position " + position + " of " + text.length());
    }

    /** Appends the text as a JSON string. */
    public static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            appendChar(out, text, i);
        }
        out.append('"');
    }

    private static void appendChar(StringBuilder out, String text, int index) {
        char c = text.charAt(index);
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (c < FIRST_PRINTABLE || isHalfPair(text, index)) {
                    out.append("\\u%04x".formatted((int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }

    /** Half a surrogate pair has no UTF-8 form: a driver would turn it into a question mark. */
    private static boolean isHalfPair(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(c) && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }
}
