package dev.postrider.service.config;

import dev.postrider.internal.SafeText;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a value looks like, and how it is read. Refuses with an {@link IllegalArgumentException} that shows the value, except
 * for secrets.
 *
 * @param label for the reference
 */
public record ValueFormat<T>(String label, Function<String, T> parser) {

    private static final Pattern DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|h|d)");
    /** Every database has a date this long ago. */
    private static final Duration LONGEST = Duration.ofDays(100_000);

    private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*(KiB|MiB|GiB|B)?");

    /** Any text. */
    public static final ValueFormat<String> TEXT = new ValueFormat<>("text", text -> text);

    /** An address, or several separated by commas, with a password in it perhaps: hidden wherever it turns up from now on. */
    public static final ValueFormat<String> ADDRESS = new ValueFormat<>("text", text -> {
        SafeText.rememberAddress(text);
        Stream.of(text.split(",")).map(String::strip).forEach(SafeText::rememberAddress);
        return text;
    });

    /** A whole number. */
    public static final ValueFormat<Integer> NUMBER = new ValueFormat<>("number", ValueFormat::number);

    /** A number such as 1.5. */
    public static final ValueFormat<Double> FRACTION = new ValueFormat<>("number", ValueFormat::fraction);

    /** true or false. */
    public static final ValueFormat<Boolean> FLAG = new ValueFormat<>("true or false", ValueFormat::flag);

    /** A time such as 200ms, 5s, 10m, 1h, 30d. */
    public static final ValueFormat<Duration> DURATION_FORM = new ValueFormat<>("time", ValueFormat::duration);

    /** A number of bytes such as 512, 64KiB, 16MiB. */
    public static final ValueFormat<Long> SIZE_FORM = new ValueFormat<>("bytes", ValueFormat::size);

    /** One of an enum's names, written in small letters with hyphens. */
    public static <E extends Enum<E>> ValueFormat<E> choice(Class<E> type) {
        List<String> names =
                Arrays.stream(type.getEnumConstants()).map(ValueFormat::nameOf).toList();
        return new ValueFormat<>(String.join(", ", names), text -> {
            for (E constant : type.getEnumConstants()) {
                if (nameOf(constant).equals(text.toLowerCase(Locale.ROOT))) {
                    return constant;
                }
            }
            throw wrong(text, "one of " + String.join(", ", names));
        });
    }

    /** {@code DEAD_LETTER} is written {@code dead-letter}. */
    public static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public T parse(String text) {
        return parser.apply(text.strip());
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text.replace("_", ""));
        } catch (NumberFormatException notOne) {
            throw wrong(text, "a whole number");
        }
    }

    private static double fraction(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException notOne) {
            throw wrong(text, "a number such as 1.5");
        }
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(text, "true or false");
        };
    }

    private static Duration duration(String text) {
        try {
            Duration duration = anyDuration(text);
            if (!duration.isNegative() && duration.compareTo(LONGEST) <= 0) {
                return duration;
            }
        } catch (DateTimeParseException | ArithmeticException | NumberFormatException notOne) {
            // Refused below.
        }
        throw wrong(text, "a time such as 200ms, 5s, 10m, 1h or 30d, at most " + LONGEST.toDays() + "d");
    }

    private static Duration anyDuration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return text.equals("0") ? Duration.ZERO : Duration.parse(text);
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    private static long size(String text) {
        Matcher matcher = SIZE.matcher(text.replace("_", ""));
        try {
            if (matcher.matches()) {
                String unit = matcher.group(2) == null ? "B" : matcher.group(2);
                return Math.multiplyExact(
                        Long.parseLong(matcher.group(1)),
                        1L << (10 * List.of("B", "KiB", "MiB", "GiB").indexOf(unit)));
            }
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            // Refused below.
        }
        throw wrong(text, "a number of bytes such as 512, 64KiB or 16MiB");
    }

    private static IllegalArgumentException wrong(String text, String expected) {
        return new IllegalArgumentException("is '" + text + "', expected " + expected);
    }
}
