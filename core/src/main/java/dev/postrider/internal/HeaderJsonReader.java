package dev.postrider.internal;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Parses one JSON object of strings, from the first character to the last. */
final class HeaderJsonReader {

    private final String json;
    private int position;

    HeaderJsonReader(String json) {
        this.json = json;
    }

    Map<String, String> read() {
        Map<String, String> headers = new LinkedHashMap<>();
        expect('{');
        if (!skipIf('}')) {
            do {
                readEntry(headers);
            } while (skipIf(','));
            expect('}');
        }
        skipSpace();
        if (position < json.length()) {
            throw unexpected("the end");
        }
        return headers;
    }

    private void readEntry(Map<String, String> headers) {
        String name = readString();
        expect(':');
        if (headers.put(name, readString()) != null) {
            throw new IllegalArgumentException("Header '" + name + "' occurs twice");
        }
    }

    /** One string, with its quotes. */
    String readString() {
        expect('"');
        StringBuilder text = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            if (c < 0x20) {
                position--;
                throw unexpected("an escaped control character");
            }
            text.append(c == '\\' ? readEscape() : c);
        }
        return text.toString();
    }

    private char readEscape() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> readHex();
            default -> {
                position--;
                throw unexpected("an escape");
            }
        };
    }

    private char readHex() {
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

    private char next() {
        if (position == json.length()) {
            throw unexpected("more text");
        }
        return json.charAt(position++);
    }

    private void expect(char wanted) {
        if (!skipIf(wanted)) {
            throw unexpected("'" + wanted + "'");
        }
    }

    private boolean skipIf(char wanted) {
        skipSpace();
        if (position < json.length() && json.charAt(position) == wanted) {
            position++;
            return true;
        }
        return false;
    }

    private void skipSpace() {
        while (position < json.length() && " \t\n\r".indexOf(json.charAt(position)) >= 0) {
            position++;
        }
    }

    /** Names places, never contents: a header may be confidential. */
    private IllegalArgumentException unexpected(String wanted) {
        return new IllegalArgumentException("Headers are not a JSON object of strings: expected " + wanted
                + " at position " + position + " of " + json.length());
    }
}
