package dev.postrider.internal;

import java.util.regex.Pattern;

/** Texts of any origin inside of a command that somebody may paste into a shell. Stateless. */
public final class ShellWord {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+-]+");

    private ShellWord() {}

    /** The text as one word for a POSIX shell, in quotes where it needs them. */
    public static String of(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + Printable.of(text).replace("'", "'\\''") + "'";
    }
}
