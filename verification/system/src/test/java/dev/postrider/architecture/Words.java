package dev.postrider.architecture;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Durations and numbers as the options page writes them. */
final class Words {

    private static final Map<String, Duration> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("d", Duration.ofDays(1));
        UNITS.put("h", Duration.ofHours(1));
        UNITS.put("min", Duration.ofMinutes(1));
        UNITS.put("s", Duration.ofSeconds(1));
        UNITS.put("ms", Duration.ofMillis(1));
    }

    private Words() {}

    static String of(Duration duration) {
        if (duration.isZero()) {
            return "0";
        }
        return UNITS.entrySet().stream()
                .filter(unit -> duration.toMillis() % unit.getValue().toMillis() == 0)
                .findFirst()
                .map(unit -> String.format(Locale.ROOT, "%,d %s", duration.dividedBy(unit.getValue()), unit.getKey()))
                .orElseThrow();
    }

    static Duration duration(String words) {
        if (words.equals("0")) {
            return Duration.ZERO;
        }
        String[] parts = words.split(" ");
        return UNITS.get(parts[1]).multipliedBy(number(parts[0]));
    }

    static long number(String words) {
        return Long.parseLong(words.replace(",", ""));
    }
}
