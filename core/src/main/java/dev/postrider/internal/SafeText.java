package dev.postrider.internal;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts without secrets, for everything that people read: logs, errors, answers over HTTP, reports. The one place that knows how to
 * hide them.
 *
 * <p>An address is masked by its form. In other texts, such as those of drivers, which quote addresses, the form shows only where an
 * address without spaces ends; so a program that knows its secrets says so with {@link #remember}. Thread-safe.
 */
public final class SafeText {

    private static final String HIDDEN = "***";
    private static final String NAME = "(?i)([a-z0-9_.-]*(?:password|passwd|passphrase|pwd|secret|token))=";
    private static final Pattern PARAMETER =
            Pattern.compile(NAME + "(?!\\*\\*\\*)(?:\"(?:\\\\.|[^\"\\\\])*\"|'[^']*'|[^&;\\s]*)");
    private static final Pattern QUOTED = Pattern.compile(NAME + "\"((?:\\\\.|[^\"\\\\])*)\"");
    private static final Pattern USER_INFO = Pattern.compile("//\\S*@");
    /** Up to the next parameter: what has no name of its own is the rest of a password with an ampersand or a semicolon in it. */
    private static final Pattern PARAMETER_OF_ADDRESS =
            Pattern.compile(NAME + "((?:\\\\;|[^&;])*(?:[&;](?![\\w.-]+=)[^&;]*)*)");

    private static final Pattern USER_INFO_OF_ADDRESS = Pattern.compile("(?s)//(.*)@");
    private static final Pattern NEXT_ADDRESS = Pattern.compile(",(?=[a-z]+://)");
    private static final Pattern NEXT_IN_BRACKETS = Pattern.compile("\\)\\(|,(?=\\w+=)");
    /** Up to the next option of a login. */
    private static final Pattern OPTION = Pattern.compile(NAME + "((?:(?!\\s+[\\w.]+=)[^;])*)");
    /** Where a client may believe that a secret ends. */
    private static final Pattern SEPARATORS = Pattern.compile("[\\s/?#,;&:@()='\"]+");

    /** A shorter one is no secret, and would hide half of every text. */
    private static final int MIN_LENGTH = 4;

    /** What to hide and by what, the longest first, since one may be part of another. */
    private static final Map<String, String> KNOWN = new ConcurrentSkipListMap<>(
            Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    private SafeText() {}

    /** Any text, without what {@link #remember} was told and without the secrets of addresses in it. */
    public static String of(String text) {
        String safe = text;
        for (Map.Entry<String, String> known : KNOWN.entrySet()) {
            safe = safe.contains(known.getKey()) ? replaced(safe, known.getKey(), known.getValue()) : safe;
        }
        return USER_INFO.matcher(PARAMETER.matcher(safe).replaceAll("$1=***")).replaceAll("//***@");
    }

    /** A secret that is a word may be part of another word, which is left alone. */
    private static String replaced(String text, String secret, String instead) {
        String before = isWord(secret.codePointAt(0)) ? "(?<![\\p{L}\\p{N}])" : "";
        String after = isWord(secret.codePointBefore(secret.length())) ? "(?![\\p{L}\\p{N}])" : "";
        return Pattern.compile(before + Pattern.quote(secret) + after)
                .matcher(text)
                .replaceAll(Matcher.quoteReplacement(instead));
    }

    private static boolean isWord(int codePoint) {
        return Character.isLetterOrDigit(codePoint);
    }

    /** A text that is one address and nothing else, whatever characters its password has. */
    public static String address(String address) {
        String safe = PARAMETER_OF_ADDRESS.matcher(address).replaceAll("$1=***");
        return USER_INFO_OF_ADDRESS.matcher(safe).replaceAll("//***@");
    }

    /** Hides this address, or each of a list, and the secrets in it from now on, wherever they turn up, whole or in pieces. */
    public static void rememberAddress(String address) {
        NEXT_ADDRESS.splitAsStream(address).forEach(SafeText::rememberOneAddress);
    }

    private static void rememberOneAddress(String address) {
        String safe = address(address);
        if (safe.equals(address)) {
            return;
        }
        KNOWN.put(address, safe);
        Matcher account = USER_INFO_OF_ADDRESS.matcher(address);
        if (account.find()) {
            KNOWN.put(account.group(1) + "@", HIDDEN + "@");
            String[] parts = account.group(1).split(":", 2);
            String secret = parts[parts.length - 1];
            if (PARAMETER.matcher(secret).find()) {
                // No account: the at sign belongs to a parameter, which is remembered below.
                remember(secret);
            } else if (parts.length == 1 || !secret.equals(parts[0])) {
                rememberWithPieces(secret);
            }
        }
        PARAMETER_OF_ADDRESS
                .matcher(address)
                .results()
                .forEach(parameter -> rememberWithPieces(withoutBracket(parameter.group(2))));
    }

    /** In {@code (password=p,user=u)/app} and {@code (password=p)(user=u)/app} user and database are no part of the password. */
    private static String withoutBracket(String value) {
        String first = NEXT_IN_BRACKETS.split(value, 2)[0];
        int end = first.lastIndexOf(')');
        return end < 0 ? first : first.substring(0, end);
    }

    /** A secret that is not quoted as it should be ends too soon for a client, whose error may then name the rest. */
    private static void rememberWithPieces(String secret) {
        remember(secret);
        SEPARATORS.splitAsStream(secret).forEach(SafeText::remember);
    }

    /** Hides what a property of a client holds, such as {@code ssl.key.password} or a login with {@code password="..."} in it. */
    public static void rememberProperty(String name, String value) {
        if (PARAMETER.matcher(name + "=").find()) {
            remember(value);
        }
        QUOTED.matcher(value).results().forEach(quoted -> remember(quoted.group(2)));
        OPTION.matcher(value).results().forEach(option -> rememberWithPieces(option.group(2)));
    }

    /** Hides this secret from now on, also where it is percent-decoded; a very short one only inside of addresses. */
    public static void remember(String secret) {
        if (secret.length() >= MIN_LENGTH && !secret.equals(HIDDEN)) {
            KNOWN.put(secret, HIDDEN);
            String decoded = decoded(secret);
            if (decoded.length() >= MIN_LENGTH) {
                KNOWN.put(decoded, HIDDEN);
            }
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return text;
        }
    }
}
