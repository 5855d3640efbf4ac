package dev.postrider.destination.nats;

import dev.postrider.message.InvalidMessageException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Names and values of NATS headers, which have printable ASCII characters only.
 *
 * <p>Values are percent-encoded in UTF-8 as far as they need it: characters outside of ASCII, control characters, percent signs
 * and spaces at either end. That is a subset of what the CloudEvents binding encodes, and any decoder for it reads it.
 */
final class HeaderText {

    private HeaderText() {}

    /** The name, if NATS can carry it. */
    static String checkedName(String name) {
        boolean isPlain = name.chars().allMatch(c -> c > ' ' && c < 0x7F && c != ':');
        if (!isPlain) {
            throw new InvalidMessageException(
                    "headers",
                    "have the name '" + name
                            + "'; names in NATS have printable ASCII characters, no spaces and no colons");
        }
        return name;
    }

    static String encode(String value) {
        StringBuilder encoded = new StringBuilder(value.length() + 16);
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            boolean isAtEnd = i == 0 || i == bytes.length - 1;
            if (isPlain(bytes[i]) && !(isAtEnd && bytes[i] == ' ')) {
                encoded.append((char) bytes[i]);
            } else {
                encoded.append("%%%02X".formatted(bytes[i] & 0xFF));
            }
        }
        return encoded.toString();
    }

    /** The value as it is where NATS can carry it, for headers whose readers decode nothing. */
    static String plainOrEncoded(String value) {
        boolean isPlain = value.equals(value.strip()) && value.chars().allMatch(c -> c >= ' ' && c < 0x7F);
        return isPlain ? value : encode(value);
    }

    private static boolean isPlain(byte c) {
        return c >= ' ' && c < 0x7F && c != '%';
    }

    /** The value again; a percent sign that begins no code stands for itself. */
    static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            int code = text.charAt(i) == '%' ? codeAt(text, i + 1) : -1;
            if (code >= 0) {
                bytes.write(code);
                i += 2;
            } else {
                bytes.writeBytes(text.substring(i, i + 1).getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static int codeAt(String text, int position) {
        if (position + 2 > text.length()) {
            return -1;
        }
        int high = Character.digit(text.charAt(position), 16);
        int low = Character.digit(text.charAt(position + 1), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }
}
