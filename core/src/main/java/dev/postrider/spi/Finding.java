package dev.postrider.spi;

import java.util.Objects;

/**
 * Something that an operator should know, with what to do about it. Holds no secret and no payload.
 *
 * @param what what was seen, with its figures
 * @param meaning what follows from it
 * @param fix what to do
 */
public record Finding(Severity severity, String what, String meaning, String fix) {

    public Finding {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(meaning, "meaning");
        Objects.requireNonNull(fix, "fix");
    }

    /** How bad it is, the mildest first. */
    public enum Severity {
        /** Worth knowing; nothing suffers. */
        NOTE,
        /** It works, but slower or less safely than it could. */
        WARNING,
        /** Messages are not delivered, or can be lost. */
        ERROR
    }

    public static Finding note(String what, String meaning, String fix) {
        return new Finding(Severity.NOTE, what, meaning, fix);
    }

    public static Finding warning(String what, String meaning, String fix) {
        return new Finding(Severity.WARNING, what, meaning, fix);
    }

    public static Finding error(String what, String meaning, String fix) {
        return new Finding(Severity.ERROR, what, meaning, fix);
    }
}
