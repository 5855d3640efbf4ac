package dev.postrider.cli.options;

import dev.postrider.message.MessageId;
import dev.postrider.message.PostriderException;
import dev.postrider.service.config.ValueFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** How options are read that are times or ids. */
public final class Values {

    private Values() {}

    /** {@code 200ms}, {@code 5s}, {@code 10m}, {@code 1h}, {@code 30d}: as in the configuration file. */
    public static Duration duration(String text) {
        try {
            return ValueFormat.DURATION_FORM.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
    }

    /** The id of a message, exactly as it travels: a UUID, or whatever its producer chose. */
    public static MessageId messageId(CommandSpec spec, String text) {
        try {
            return MessageId.of(text);
        } catch (PostriderException wrong) {
            throw new ParameterException(spec.commandLine(), "This is not a message id: " + wrong.getMessage());
        }
    }

    /** A moment such as {@code 2026-03-01T12:00:00Z}, a day in UTC, or a time ago such as {@code 2h}. */
    public static Instant moment(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException notOne) {
            return dayOrAgo(text);
        }
    }

    private static Instant dayOrAgo(String text) {
        try {
            return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeParseException notOne) {
            return ago(text);
        }
    }

    private static Instant ago(String text) {
        try {
            return Instant.now().minus(ValueFormat.DURATION_FORM.parse(text));
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException("is '" + text
                    + "', expected a moment such as 2026-03-01T12:00:00Z, a day, or a time ago such as 2h");
        }
    }
}
